/**
 * Asks for a yes without a question mark. `consent`: for something that no table of acts names; `{}` stands for each of `acts`. `bare`: for
 * nothing but to continue with the list.
 */
export interface Requests {
  readonly consent: readonly string[];
  readonly acts: readonly string[];
  readonly bare: readonly string[];
}

export const REQUESTS: Readonly<Record<string, Requests>> = {
  English: {
    consent: [
      "Please confirm that I may {}.",
      "Awaiting your approval to {}.",
      "I need your permission to {}.",
      "Please approve: {}.",
      "Reply yes to {}.",
      'Type "yes" and I will {}.',
      "Before I {}, please confirm.",
    ],
    acts: ["rotate the signing keys", "archive the customers", "terminate the instances", "make the bot an admin"],
    bare: [
      "Waiting for your approval to proceed.",
      "Please confirm that I may continue.",
      "Please confirm to continue with the next item.",
      "I need your permission to continue.",
      "Awaiting your go-ahead to start the next task.",
    ],
  },
  German: {
    consent: [
      "Bitte bestätigen Sie, dass ich {} darf.",
      "Ich brauche deine Erlaubnis, bevor ich {} kann.",
      "Ich warte auf Ihre Freigabe, weil ich {} will.",
    ],
    acts: ["die Schlüssel rotieren", "die Kunden archivieren", "den Server abschalten"],
    bare: ["Bitte bestätigen Sie, dass ich fortfahren darf.", "Ich warte auf Ihre Freigabe, um fortzufahren."],
  },
  French: {
    consent: [
      "Veuillez confirmer que je peux {}.",
      "J'attends votre autorisation pour {}.",
      "Merci de m'autoriser à {}.",
    ],
    acts: ["révoquer les accès", "éteindre le serveur", "archiver les clients"],
    bare: ["Veuillez confirmer que je peux continuer."],
  },
  Spanish: {
    consent: ["Confirma que puedo {}.", "Necesito tu permiso para {}.", "Espero tu autorización para {}."],
    acts: ["rotar las claves", "archivar los clientes", "detener el servidor"],
    bare: ["Confirma que puedo continuar."],
  },
  Portuguese: {
    consent: ["Confirme que posso {}.", "Preciso da sua permissão para {}.", "Aguardo sua autorização para {}."],
    acts: ["rotacionar as chaves", "arquivar os clientes", "desligar o servidor"],
    bare: ["Confirme que posso continuar."],
  },
  Italian: {
    consent: ["Conferma che posso {}.", "Attendo il permesso di {}."],
    acts: ["archiviare i clienti", "spegnere il server"],
    bare: ["Conferma che posso continuare."],
  },
  Dutch: {
    consent: ["Bevestig dat ik {}.", "Ik wacht op toestemming: {}."],
    acts: ["de sleutels mag roteren", "de server uit mag zetten"],
    bare: [],
  },
  Swedish: {
    consent: ["Bekräfta att jag får {}.", "Jag väntar på tillåtelse att {}."],
    acts: ["stänga av servern", "arkivera kunderna"],
    bare: [],
  },
  Polish: {
    consent: ["Potwierdź, że mogę {}.", "Czekam na zgodę, żeby {}."],
    acts: ["zarchiwizować klientów", "wyłączyć serwer"],
    bare: ["Potwierdź, że mogę kontynuować."],
  },
  Czech: { consent: ["Potvrďte, že mohu {}."], acts: ["archivovat zákazníky", "vypnout server"], bare: [] },
  Russian: {
    consent: ["Подтвердите, что я могу {}.", "Жду разрешения {}."],
    acts: ["архивировать клиентов", "выключить сервер"],
    bare: ["Подтвердите, что я могу продолжить."],
  },
  Ukrainian: { consent: ["Підтвердіть, що я можу {}."], acts: ["вимкнути сервер", "архівувати клієнтів"], bare: [] },
  Turkish: {
    consent: ["{} için onay bekliyorum."],
    acts: ["Anahtarları değiştirmem", "Sunucuyu durdurmam"],
    bare: ["Devam etmek için onay bekliyorum."],
  },
  Chinese: {
    consent: ["请确认我可以{}。", "等待您批准{}。", "请授权我{}。"],
    acts: ["轮换密钥", "归档客户", "关闭服务器"],
    bare: ["请确认我可以继续。"],
  },
  Japanese: {
    consent: ["{}よいか確認してください。", "{}許可をお願いします。"],
    acts: ["鍵をローテーションして", "サーバーを停止する"],
    bare: ["続けてよいか確認してください。"],
  },
  Korean: {
    consent: ["{} 되는지 확인해 주세요.", "{} 승인해 주세요."],
    acts: ["키를 교체해도", "서버를 끄는 것을"],
    bare: [],
  },
  Arabic: { consent: ["أرجو تأكيد أنه يمكنني {}."], acts: ["إيقاف الخادم", "أرشفة العملاء"], bare: [] },
  Hindi: { consent: ["कृपया पुष्टि करें कि मैं {} सकता हूँ।"], acts: ["सर्वर बंद कर", "ग्राहकों को संग्रहित कर"], bare: [] },
  Indonesian: {
    consent: ["Mohon konfirmasi bahwa saya boleh {}."],
    acts: ["mematikan server", "mengarsipkan pelanggan"],
    bare: [],
  },
  Vietnamese: {
    consent: ["Vui lòng xác nhận rằng tôi có thể {}."],
    acts: ["tắt máy chủ", "lưu trữ khách hàng"],
    bare: [],
  },
};
