/**
 * What a question may consist of and still be nothing but "shall I continue with the list?". One word outside of its
 * language's row, the list aside, and it is a question for you: a word that is missing here costs one reminder, a word too
 * many could be taken for consent. No row holds "or", a question word or the name of an act.
 *
 * `go`: at least one of these must stand in it; `a+b` are two words in a row. `words`: what may stand beside. A `*` ends a stem.
 */
export interface Language {
  readonly go: string;
  readonly words: string;
  /** Begins a question; further on in it the same word means "or". */
  readonly first?: string;
}

export const LANGUAGES = {
  en: {
    go: "continu* proceed* resum* go going carry+on move+on moving+on start starting begin beginning next ready tackle tackling work working",
    words:
      "shall should may can could would will carry keep move moving on do does did you want like wish me i we us to for it that is are be if okay ok alright fine right good so now then here ahead and with the this a an my your our at from in of by as remaining remainder rest next following open other others last first second third list lists todo todos task tasks item items step steps phase phases part one ones work job jobs plan goal todo-list test tests feature features implementation implement implementing permission all still just yes please let know forward up everything done finish finishing finished complete completing completed there i've i'm am sounds checking quick question agree before far looks that's say object unless otherwise whenever when if you'd whether two three four five six",
  },
  de: {
    go: "fortfahr* fortsetz* weitermach* weiterarbeit* fortzufahren fortzusetzen weiter weiterzumachen weiterzuarbeiten weitergehen weitergehe weitergeht anfangen beginnen beginne starten bereit",
    words:
      "soll sollen ich wir darf dürfen kann können möchten möchtest wollen willst wünschen sie du dass es das die der den dem des ein eine einen einem einer mit bei an am im in zu zum zur auf für und nun jetzt hier so dann gleich direkt nächste nächsten nächster nächstes folgende folgenden restliche restlichen verbleibende verbleibenden übrige übrigen offene offenen rest liste aufgabe aufgaben punkt punkte punkten schritt schritte schritten phase arbeit teil plan eintrag einträge einträgen bitte ja okay gut ist in ordnung recht einverstanden wenn ob mir machen mache machst damit fertig erledigt test tests",
  },
  es: {
    go: "continu* continú* proced* prosig* sigui* seguir sigo siga sigamos seguimos avanzar avanzo avance avanzamos empezar empiezo empiece comenzar comienzo comience adelante",
    words:
      "debo debería deberia debemos puedo podemos podría quieres quiere queréis quieren desea deseas te le gustaría gustaria parece bien vale ok que si sí yo me a ante con el la los las lo un una al del de en y para por ya ahora así entonces aquí siguiente siguientes próximo próxima proximo proxima próximos próximas resto restante restantes demás pendiente pendientes lista tarea tareas elemento elementos punto puntos paso pasos fase trabajo parte plan favor está esta este eso esto listo lista adelante prueba pruebas",
  },
  fr: {
    go: "continu* poursuiv* enchaîn* poursuis procéder procède passer passe avancer avance reprendre reprenne commencer commence démarrer suite",
    words:
      "dois devrais devons puis-je dois-je peux-je puis je peux pouvons voulez-vous voulez veux-tu veux souhaitez-vous souhaitez souhaites-tu souhaites aimeriez-vous vous tu que qu'on on j nous est-ce ce c'est ça va bon d'accord ok oui si à au aux avec le la les l un une du de des d en et pour maintenant ainsi alors ici donc prochain prochaine prochains suivant suivante suivants suivantes reste restant restante restants restantes liste tâche tâches élément éléments point points étape étapes phase travail partie plan s'il plaît te bien y compris les autre autres test tests qu il",
  },
  it: {
    go: "continu* prosegu* proced* andare vado vada avanti passare passo passi iniziare inizio inizi cominciare comincio",
    words:
      "devo dovrei dobbiamo posso possiamo potrei vuoi vuole volete desidera desideri ti le vi va bene ok sì che se io a al alla allo ai agli alle con il lo la i gli l un una del della dei delle di da in e per ora adesso così allora qui quindi prossimo prossima prossimi prossime successivo successiva successivi successive seguente seguenti resto restante restanti rimanente rimanenti lista elenco attività compito compiti elemento elementi punto punti passo passi passaggio passaggi fase lavoro parte piano piacerebbe favore test",
  },
  pt: {
    go: "continu* prossig* prossegu* seguisse seguir sigo siga seguimos avançar avanço avance proceder procedo começar começo comece iniciar inicio frente adiante",
    words:
      "devo deveria devemos posso podemos poderia quer queres querem deseja desejam gostaria gostarias você vocês tudo bem ok sim que se eu me a à ao aos às com o os as um uma do da dos das de em no na e para pra por agora assim então aqui próximo próxima próximos próximas seguinte seguintes resto restante restantes demais pendente pendentes lista tarefa tarefas item itens elemento elementos ponto pontos passo passos etapa etapas fase trabalho parte plano favor está pode isso teste testes em",
  },
  nl: {
    go: "doorga* verderga* voortzet* verder doorwerken beginnen begin starten",
    words:
      "zal zullen van moet mag kan ik we wij wil wilt willen je jij u dat het de een met aan op in voor te om en nu dan zo hier volgende resterende overige overgebleven open rest lijst taak taken item items punt punten stap stappen fase werk deel plan alstublieft alsjeblieft is goed oké ok ja akkoord als of-niet ga gaan graag test tests",
  },
  sv: {
    go: "fortsätt* gå går vidare börja starta",
    words:
      "ska skall skulle av får kan jag vi vill du ni att det den de en ett med till på i för och nu då så här nästa återstående resterande kvarvarande resten listan lista uppgift uppgiften uppgifter uppgifterna punkt punkten punkter steg steget fas arbetet arbete plan tack är okej ok bra ja om mig test tester",
  },
  da: {
    go: "fortsæt* videre gå går begynde starte",
    words:
      "skal må kan vil ville jeg vi du i at det den de en et med til på for af og nu så her næste resterende øvrige tilbageværende resten listen liste opgave opgaven opgaver opgaverne punkt punktet punkter trin trinnet fase arbejdet arbejde plan tak er okay ok godt fint ja hvis mig test tests",
  },
  no: {
    go: "fortsett* videre gå går begynne starte",
    words:
      "skal må kan vil ville jeg vi du dere at det den de en et med til på for av og nå så her neste resterende øvrige gjenværende resten listen lista liste oppgave oppgaven oppgaver oppgavene punkt punktet punkter steg trinn fase arbeidet arbeid plan takk er greit ok bra ja hvis meg test tester",
  },
  fi: {
    go: "jatka* jatketaan* etenenkö etenen siirrynkö siirtyä siirryn",
    words:
      "pitäisikö haluatko haluatteko voinko saanko saisinko minun minä että seuraavaan seuraavalla seuraavan seuraava seuraavaa loput lopuilla loppuihin loppujen jäljellä olevat olevilla olevia listaa lista listan tehtävää tehtävän tehtävä tehtävät tehtävään tehtävien tehtäviä kohtaan kohdan kohta kohtaa vaihe vaiheeseen vaihetta nyt ok kiitos työtä työn parissa kanssa",
  },
  ro: {
    go: "continu* trec trecem treacă mergem mers avansez avansăm încep începem",
    words:
      "să vrei vreți doriți dorești pot putem pot-să ar trebui eu noi cu la în pe și acum deci aici următor următorul următoarea următorului următoarele următoarei următorii restul rămase rămas rămasă listă lista listei sarcină sarcina sarcinile sarcinii sarcini element elemente elementul pas pasul pașii etapă etapa lucrul munca plan planul bine ok da vă rog mai departe este",
  },
  hu: {
    go: "folytas* folytat* tovább* továbblép*",
    words:
      "szeretné szeretnéd akarja akarod hogy én a az és most következő következővel következőre többi többivel maradék maradékkal listát lista listával feladat feladatot feladattal feladatra feladatokkal pont pontot ponttal lépés lépéssel lépésre lépjek menjek haladjak mehetek ok rendben kérem igen kell",
  },
  el: {
    go: "συνεχίσω συνεχίζω συνεχίσουμε προχωρήσω προχωρήσουμε προχωρώ συνέχεια ξεκινήσω αρχίσω",
    words:
      "να θέλετε θέλεις θα μπορώ μπορούμε πρέπει με το τη την τον τα τις στο στη στην στον στα στις και τώρα επόμενο επόμενη επόμενα επόμενες υπόλοιπα υπόλοιπες υπόλοιπη λίστα λίστας εργασία εργασίες βήμα βήματα στοιχείο στοιχεία της του των οκ εντάξει ναι παρακαλώ",
  },
  pl: {
    go: "kontynu* dalej przejść przechodzę zacząć zaczynam rozpocząć",
    first: "czy",
    words:
      "mam mamy mogę możemy powinienem powinnam chcesz chce chcą chciałbyś chciałbym chcielibyście państwo pan pani żebym żebyśmy abym abyśmy ja do z ze na w i oraz teraz tak więc tutaj następny następna następne następnego następnej następnym następnych kolejny kolejna kolejne kolejnego kolejnej kolejnym pozostały pozostałe pozostałych pozostałymi reszta resztę resztą listę listą lista listy zadanie zadania zadaniem zadaniami zadań punkt punktu punktem punkty punktami krok kroku krokiem kroki krokami etap etapu etapem faza pracę praca pracy proszę dobrze ok to jest iść pracować test testy testami",
  },
  cs: {
    go: "pokrač* dál dále přejít přejdu začít začnu",
    words:
      "mám máme mohu můžu můžeme smím chcete chceš přejete si abych abychom s se k ke na v a teď nyní tak tedy zde další dalším dalšího dalšímu následující následujícím zbývající zbývajícím zbytek zbytkem zbytku seznam seznamem seznamu úkol úkolem úkolu úkoly položka položkou položce položku bod bodem bodu krok krokem kroku kroky fáze fází práci práce v pořádku dobře ok ano je to mi prosím test testy",
  },
  ru: {
    go: "продолж* перейти перехожу переходить приступить приступать приступаю начать начинать начинаю дальше далее",
    words:
      "мне нам я мы ли можно могу можем должен должна следует стоит нужно хотите хочешь желаете вы ты чтобы что бы с со к ко по над на в и а теперь сейчас так тогда здесь следующий следующая следующее следующие следующего следующей следующему следующим следующих следующую оставшийся оставшиеся оставшихся оставшимися остальные остальных остальными остальным остаток список списка списком списку задача задачу задачи задаче задачей задачам задачами пункт пункта пункту пунктом пункты пунктам пунктами шаг шага шагу шагом шаги шагам этап этапа этапу этапом работу работа работы работе работой план плану пожалуйста хорошо ок да это ладно тест тесты тестам тестами работать",
  },
  uk: {
    go: "продовж* перейти переходити переходжу почати починати далі",
    first: "чи",
    words:
      "мені нам я ми можна можу можемо маю маємо слід варто потрібно хочете хочеш бажаєте ви ти щоб що б з із зі до на в у і й та а тепер зараз так тоді тут наступний наступна наступне наступні наступного наступної наступному наступним наступну решта решту рештою решти список списку списком завдання завданням завдань завданнями пункт пункту пунктом пункти крок кроку кроком кроки етап етапу робота роботу роботи план будь ласка добре ок це тест тести",
  },
  tr: {
    go: "devam sürdürmemi sürdüreyim geçeyim geçmemi geçelim başlayayım başlamamı ilerleyeyim ilerlememi",
    words:
      "edeyim ederim edelim edebilir edebiliriz etmemi etmem etmemizi etmeli etmek ister istiyor isterseniz istersin misiniz musunuz miyim mıyım muyum miyiz mi mı mu mü misin ben biz bir sıradaki sonraki kalan diğer geri listeye listesi listeden liste listeyle göreve görev göreve görevle görevler görevlere görevlerle görevden maddeye madde maddeyle maddeler maddelere maddelerle adıma adım adımla adımlar adımlara adımlarla aşamaya aşama işe iş işlere işle işlerle çalışmaya şimdi o zaman böyle burada ile ve için lütfen tamam uygun uygunsa olur evet test testlere testlerle",
  },
  id: {
    go: "lanjut* terus* melanjutkan dilanjutkan meneruskan mulai memulai",
    words:
      "apakah saya aku kami kita boleh bisakah bolehkah haruskah perlu perlukah anda kamu ingin mau agar supaya untuk dengan ke pada di dan sekarang lalu di sini berikutnya selanjutnya tersisa sisa sisanya daftar tugas tugas-tugas item langkah tahap pekerjaan bagian rencana silakan tolong baik ok ya yang ini itu lagi tes",
  },
  vi: {
    go: "tiếp tục bắt đầu chuyển",
    words:
      "tôi mình em có nên thể được phép muốn bạn anh chị hãy không với sang đến phần mục bước việc công nhiệm vụ danh sách theo sau kế còn lại các những này đó bây giờ và cho nhé chứ ạ ok đồng ý kế hoạch làm thực hiện kiểm tra",
  },
  ar: {
    go: "أتابع المتابعة متابعة أستمر الاستمرار استمر أواصل المواصلة مواصلة أكمل إكمال الإكمال أمضي المضي أنتقل الانتقال أبدأ البدء ننتقل نتابع نستمر قدما قدماً قدمًا",
    words:
      "هل يمكنني أستطيع يجب علي عليّ ينبغي تريد تريدني تريدين تود ترغب مني أن في على مع إلى الى ب ال من و الآن هنا إذن التالي التالية الباقي الباقية المتبقي المتبقية بقية القائمة قائمة بالقائمة المهمة المهام مهمة مهام بالمهمة بالمهام للمهمة البند البنود بالبند العنصر العناصر الخطوة الخطوات بالخطوة للخطوة المرحلة العمل بالعمل الخطة فضلك حسنا حسناً حسنًا نعم موافق لي أنا نحن ذلك هذا هذه الاختبارات المطلوبة",
  },
  hi: {
    go: "जारी आगे शुरू बढ़ूँ बढ़ूं बढ़ें बढ़ना बढूँ बढूं",
    words:
      "क्या मैं हम मुझे आप चाहते चाहती चाहेंगे हैं है हूँ हूं कि को के की का में पर से साथ और अब यहाँ तो रखूँ रखूं रखें रखना रख करूँ करूं करें करना कर सकता सकती सकते चाहिए अगला अगले अगली बाकी शेष बचे हुए सूची कार्य कार्यों काम कामों आइटम चरण चरणों टास्क कदम योजना कृपया ठीक हाँ यह इस ही दूँ दूं टेस्ट",
  },
  ko: {
    go: "계속* 진행* 이어* 다음으로 넘어* 시작* 다음",
    words:
      "제가 저는 그럼 이제 지금 그대로 그리고 할까요 해도 될까요 되나요 될지요 괜찮* 좋을까요 하시* 원하* 드릴까요 하면 하고 하는 할지 합니까 나갈까요 가도 나가도 갈까요 다음* 나머지* 남은 목록* 리스트* 작업* 작업을 할 일* 일을 항목* 단계* 과제* 태스크* 계획* 부분* 테스트* 으로 로 를 을 이 가 도 에 와 과 네 예 바로 여기서 것* 수 있을까요",
  },
} as const satisfies Record<string, Language>;

/** Scripts without spaces: the question is bare when these, taken out, leave nothing but signs. The longest goes first. */
export const UNSPACED = {
  zh: {
    go: "继续 繼續 接着 接著 往下 下去 推进 推進 进行 進行 下一步 下一个 下一個 开始 開始",
    words:
      "我们 我們 我 您 你 要不要 是不是 是否 需要 需 要 可以 可 能 应该 應該 希望 想要 想 让 讓 的话 的 吗 嗎 吧 呢 么 麼 好 行 了 现在 現在 那 那么 那麼 就 请 請 问 問 中 剩余 剩餘 剩下 其余 其餘 余下 下面 后面 後面 后续 後續 接下来 接下來 下 一 个 個 项 項 条 條 步骤 步驟 步 阶段 階段 任务 任務 待办 待辦 事项 事項 清单 清單 列表 工作 部分 计划 計劃 执行 執行 处理 處理 做 按 按照 根据 与 和 以及 以 在 往 去 到 把 这 這 些 里 完成 测试 測試 所有 全部 直接 不 是 同意 确认 確認 没 有 问题 問題 着 先 再 对",
  },
  ja: {
    go: "続け 続き 続行 継続 進め 進み 進んで 進む 進行 次 開始 始め 着手 取り掛か 取りかか",
    words:
      "このまま そのまま それでは では じゃあ 残り 残っている 他 リスト 一覧 タスク 作業 項目 ステップ 段階 フェーズ 工程 手順 計画 部分 テスト 今 すぐ 私 次 へ に を は が の と も で て た い よろしい よろしかった 宜しい 宜しかっ 良い よい いい 大丈夫 構い かまい ません ない でしょう ましょう ます まし です ください 下さい お 願い 移って 移り 移っ 移行 し する して しても してよ ても っても って っ こと か な ね よ しょう う ば れ ろ べき 方 ほう 欲しい ほしい 望み 希望 し ま す せ ん 可能 問題 なければ 入って 入り 以降 以下 番 目 つ 一 二 三 行 います いる おり 取り 組 み む も り ら ん さ あ",
  },
  th: {
    go: "ต่อ ดำเนินการต่อ ทำต่อ ไปต่อ เริ่ม",
    words:
      "ฉัน ผม ดิฉัน ให้ ควร จะ สามารถ ได้ ไหม มั้ย หรือไม่ คะ ครับ ค่ะ นะ ต้องการ อยาก คุณ กับ ไป ที่ งาน รายการ ขั้นตอน ถัดไป ที่เหลือ ทำ ดำเนินการ ตอนนี้ และ ใน ของ เลย ใช่ โอเค แล้ว",
  },
} as const satisfies Record<string, Language>;

/** In every language. */
export const EVERYWHERE = "todo todos task tasks item items step steps ok okay phase";
