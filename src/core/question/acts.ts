/**
 * Acts that only you can allow: they destroy, publish, pay, send or cannot be taken back. A question that names one stops
 * the run at once. What is missing here is still no consent: it is a question like any other, and no reminder permits it.
 */
export const ACTS =
  // English
  "delet* remov* drop drops dropping dropped truncat* wipe wipes wiping wiped eras* destroy* destructive purg* nuke force* push pushes pushing pushed deploy* redeploy* publish* unpublish* release releases releasing released overwrit* pay pays paying paid payment* buy* purchas* charge charges charging charged refund* transfer* send sends sending email* e-mail* submit* merge merges merging merged revert* rollback* roll reset* kill kills killing killed shutdown shut reboot* restart* uninstall* revok* migrat* rm sudo discard* unsubscrib* tweet* invit* rebase* production prod irreversib* permanent* drop-table go-live" +
  // German
  " lösch* gelösch* entfern* verwerf* verwirf* überschreib* überschrieb* zurücksetz* veröffentlich* ausroll* auszuroll* ausliefer* deploy* bezahl* überweis* kauf* bestell* sende* versend* abschick* verschick* schick* push* pushe* zusammenführ* deinstallier* formatier* zerstör* herunterfahr* beende* kündig* produktion* produktiv* migrier*" +
  // Spanish, Portuguese, Italian
  " borrar* borro borre borra borrad* eliminar* elimino elimine elimina eliminamos eliminad* sobrescrib* sobreescrib* sobrescrev* desplegar* despliego despliegue publicar* publico publique publica pagar* pago pague paga comprar* compro compre compra enviar* envío envie envíe envio mandar* mando forzar* fuerzo force destruir* destruya destruo destrua descart* reinici* desinstal* fusion* revert* transfer* producción produção produzione apag* excluir* exclua excluo delet* remov* implant* cancellare cancello cancelli elimin* rimuov* rimuovere sovrascriv* distribuire distribuisco pubblic* pagh* pagare acquist* inviar* invio invii invia mandare spedi* forzat* distrugg* scart* disinstall* ripristin* migrar* migrare" +
  // French
  " supprim* efface* effacer écras* déploy* publier publie publiez publié publions payer paye paie achet* envoy* pousser pousse poussé forcé forcer détrui* jeter réinitialis* désinstall* fusionn* transfér* migrer production vider" +
  // Dutch, Swedish
  " verwijder* wis wissen gewist overschrij* overschreven publiceer* publicer* uitrol* betal* koop* kopen verstuur* versturen stuur* sturen verzend* vernietig* terugzet* productie radera* ta-bort skriva-över publicera* driftsätt* betala* köp* skicka* tvinga* förstör* produktion*" +
  // Danish, Norwegian, Finnish
  " slet slette sletter slettes slett fjern* overskriv* udrulle udgive publiser* betale køb* kjøp* produktion* produksjon* poista* poistan* ylikirjoit* julkais* maksa* maksan* lähet* tuotan*" +
  // Romanian, Hungarian, Greek
  " șterg* ștearg* şterg* suprascri* publice publică plătesc plătească trimit* producți* töröl* felülír* közzétesz* közzéteg* telepít* fizess* kifizess* küld* élesít* διαγρά* σβήσ* δημοσιεύσ* πληρώσ* στείλ* αντικαταστήσ* παραγωγ*" +
  // Polish, Czech
  " usun* usuw* skasow* kasow* nadpis* wdroż* wdraż* opublikow* publikow* zapłac* płac* kupić kupię kupuję wysł* wysył* wypchn* zniszcz* odrzuc* produkcj* smaz* maz* přeps* přepis* nasad* zveřejn* zaplat* koup* odesl* odesíl* poslat pošl* zničit produkc*" +
  // Russian, Ukrainian
  " удал* стер* стир* очист* перезапис* развер* разверн* деплo* депло* опубликов* публиков* выпуст* оплат* заплат* купи* покуп* отправ* послать пошл* пуш* запуш* сброс* уничтож* отмен* слить слия* перезапус* продакшен* продакшн* прод видал* стерт* перезапис* розгорн* опублік* публік* сплат* заплат* купит* надісл* надсил* знищ* скину*" +
  // Turkish
  " sileyim silmemi silmem silmek silinsin silelim silebilir siliyorum kaldır* üzerine üstüne yayınla* yayımla* dağıt* öde* satın gönder* yolla* zorla* sıfırla* yok-et imha temizle* üretim* canlı*" +
  // Arabic
  " أحذف حذف احذف بحذف أمسح مسح أزيل إزالة أستبدل الكتابة أنشر نشر بنشر أدفع دفع بدفع أشتري شراء أرسل إرسال بإرسال أدمر تدمير الإنتاج إلغاء" +
  // Hindi
  " हटा* मिटा* डिलीट डिप्लॉय तैनात प्रकाशित भुगतान खरीद* भेज* पुश ओवरराइट अधिलेखित रीसेट नष्ट प्रोडक्शन ड्रॉप" +
  // Indonesian, Vietnamese
  " hapus* menghapus timpa menimpa terbitkan menerbitkan publikasikan bayar membayar beli membeli kirim* mengirim xóa xoá đè xuất-bản triển thanh-toán mua gửi đẩy" +
  // Korean
  " 삭제* 지우* 지울* 제거* 덮어* 배포* 게시* 출시* 결제* 지불* 구매* 보내* 보낼* 전송* 발송* 푸시* 강제* 초기화* 파괴* 병합* 머지* 운영* 프로덕션* 드롭*";

export const UNSPACED_ACTS =
  // Chinese
  "删除 刪除 删掉 刪掉 清空 清除 移除 抹掉 丢弃 丟棄 覆盖 覆蓋 部署 发布 發布 發佈 上线 上線 付款 支付 付费 付費 购买 購買 发送 發送 寄出 提交 推送 强推 強推 强制 強制 重置 销毁 銷毀 合并 合併 回滚 回滾 卸载 生产 生產 格式化 重启 迁移 遷移" +
  // Japanese
  " 削除 消去 消し 消して 除去 破棄 上書き デプロイ 公開 リリース 発行 支払 購入 送信 送っ 送り 送付 投稿 プッシュ 強制 リセット 初期化 マージ 本番 ドロップ アンインストール 再起動 すてて 捨て" +
  // What is lost
  " 丢失 遺失 丧失 喪失 不可逆 无法恢复 無法恢復 无法撤销 失われ 元に戻せ สูญหาย" +
  // Thai
  " ลบ เขียนทับ เผยแพร่ จ่าย ซื้อ ส่ง บังคับ รีเซ็ต";

/**
 * What has a price or closes a door. In a question they are unknown words, and so it is yours; in the sentence before it they say what the
 * yes would be for. Missing: the question is taken for one about the list, whose answer permits nothing.
 */
export const COSTS =
  // What is lost, in every language: a yes accepts it
  "lost lose loses losing unrecoverabl* irrecoverabl* verlor* verlier* unwiderruflich* endgültig* perder* perdid* perdu* perdr* irréversibl* irreversibel* perso persi perse persa kwijt förlor* tabt mistet tapt utrac* strac* ztrac* ztrat* потер* утер* утрат* безвозвратн* втра* kaybol* kaybed* 사라* 손실* 잃* खो* hilang mất ستفقد فقدان menete* katoa* pierd* elvesz* elvész* χαθ* " +
  "terminat* disabl* deactivat* decommission* cancel* archiv* downgrad* downtime outage* rotat* expos* firewall* chmod chown credential* password* spend* spent costs incur* billed billing invoice* customer* irrevocabl* undone" +
  " abschalt* abgeschaltet* deaktivier* kostet kosten* passwort* kunden ausfall* archivier*" +
  " desactiv* desactiver deshabilit* contraseña* cliente* clienti clients coûte coûter coste costará custa custará costerà mot-de-passe archiver archivar arquivar disattiv*";
