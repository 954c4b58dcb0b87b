import { words } from '#web/i18n.ts'

export const contactWords = words({
  title: ['Contatos', 'Contacts', 'Contactos', 'Kişiler'],
  savedInvalid: [
    'Contato salvo, mas o número não é válido: ele não aparece na lista nem pode ser chamado até ser corrigido.',
    'Contact saved, but the number is not valid: until it is corrected, the contact is not listed and cannot be written to.',
    'Contacto guardado, pero el número no es válido: hasta que se corrija no aparece en la lista ni se puede conversar con él.',
    'Kişi kaydedildi ama numara geçerli değil: düzeltilene kadar listede görünmez ve görüşme açılamaz.',
  ],
  add: ['Novo contato', 'New contact', 'Nuevo contacto', 'Yeni kişi'],
  edit: ['Editar contato', 'Edit contact', 'Editar contacto', 'Kişiyi düzenle'],
  empty: ['Nenhum contato ainda', 'No contacts yet', 'Aún no hay contactos', 'Henüz kişi yok'],
  lead: [
    'Quem escreve para vocês aparece aqui sozinho.',
    'People who write to you appear here automatically.',
    'Quien les escribe aparece aquí solo.',
    'Size yazanlar burada kendiliğinden görünür.',
  ],
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  number: ['Número', 'Number', 'Número', 'Numara'],
  email: ['E-mail', 'Email', 'Correo electrónico', 'E-posta'],
  tags: ['Tags', 'Tags', 'Etiquetas', 'Etiketler'],
  allTags: ['Filtrar por tag', 'Filter by tag', 'Filtrar por etiqueta', 'Etikete göre filtrele'],
  updated: ['Mudou', 'Changed', 'Cambió', 'Değişti'],
  blocked: ['Bloqueado', 'Blocked', 'Bloqueado', 'Engelli'],
  active: ['Desbloqueado', 'Not blocked', 'Desbloqueado', 'Engelli değil'],
  block: ['Bloquear', 'Block', 'Bloquear', 'Engelle'],
  unblock: ['Desbloquear', 'Unblock', 'Desbloquear', 'Engeli kaldır'],
  blockedToast: ['Contato bloqueado', 'Contact blocked', 'Contacto bloqueado', 'Kişi engellendi'],
  unblockedToast: ['Contato desbloqueado', 'Contact unblocked', 'Contacto desbloqueado', 'Kişinin engeli kaldırıldı'],
  askBlock: ['Bloquear {name}?', 'Block {name}?', '¿Bloquear a {name}?', '{name} engellensin mi?'],
  blockMeans: [
    'As mensagens deste contato deixam de ser recebidas e guardadas, e não se abre atendimento com ele. O que já foi conversado fica. Você pode desbloquear quando quiser.',
    'Messages from this contact are no longer received or stored, and no ticket can be opened with them. Past conversations stay. You can unblock at any time.',
    'Los mensajes de este contacto dejan de recibirse y guardarse, y no se abren tickets con él. Lo ya conversado se conserva. Puede desbloquearlo cuando quiera.',
    'Bu kişinin mesajları artık alınmaz ve saklanmaz, onunla talep açılamaz. Geçmiş görüşmeler kalır. Engeli istediğiniz zaman kaldırabilirsiniz.',
  ],
  removedToast: ['Contato excluído', 'Contact deleted', 'Contacto eliminado', 'Kişi silindi'],
  removeMeans: [
    'O contato sai das listas e o número pode ser cadastrado de novo. Os atendimentos encerrados ficam, com o nome apagado depois de 30 dias.',
    'The contact disappears from the lists, and the number can be added again. Closed tickets stay; the name in them is erased after 30 days.',
    'El contacto sale de las listas y su número puede registrarse de nuevo. Los tickets cerrados quedan; el nombre en ellos se borra después de 30 días.',
    'Kişi listelerden çıkar, numarası yeniden eklenebilir. Kapanan talepler kalır; adı 30 gün sonra silinir.',
  ],
  disableBot: [
    'Desligar o bot para este contato',
    'Turn off the bot for this contact',
    'Desactivar el bot para este contacto',
    'Bu kişi için botu kapat',
  ],
  acceptAudioMessage: [
    'Aceitar áudios deste contato',
    'Accept voice messages from this contact',
    'Aceptar audios de este contacto',
    'Bu kişiden sesli mesaj kabul et',
  ],
  acceptAudioHint: [
    'Desligado, o áudio fica guardado e o contato é avisado de que não é aceito. Nas configurações isso pode estar desligado para todos.',
    'When off, voice messages are kept and the contact is told that they are not accepted. The settings may turn this off for everyone.',
    'Desactivado, el audio se guarda y se avisa al contacto de que no se acepta. En la configuración puede estar desactivado para todos.',
    'Kapalıyken sesli mesaj saklanır ve kişiye kabul edilmediği bildirilir. Ayarlarda herkes için kapatılmış olabilir.',
  ],
  extra: ['Informações extras', 'Extra information', 'Información extra', 'Ek bilgiler'],
  extraName: ['Campo', 'Field', 'Campo', 'Alan'],
  extraValue: ['Valor', 'Value', 'Valor', 'Değer'],
  data: ['Contato', 'Contact', 'Contacto', 'Kişi'],
  addExtra: ['Adicionar informação', 'Add information', 'Agregar información', 'Bilgi ekle'],
  removeExtra: ['Remover informação', 'Remove information', 'Quitar información', 'Bilgiyi kaldır'],
  chat: ['Conversar', 'Chat', 'Conversar', 'Görüş'],
  chatWith: ['Conversar com {name}', 'Chat with {name}', 'Conversar con {name}', '{name} ile görüş'],
})

/** Texts of a contact's number, in every form that has one (R-PHONE-01, R-PHONE-02). */
export const numberWords = words({
  hint: [
    'Com o código de área. De outro país ({country} é o da empresa), comece com + e o código do país.',
    'With its area code. For a country other than {country}, begin with + and the country code.',
    'Con el código de área. De un país que no sea {country}, empiece con + y el código del país.',
    'Alan koduyla yazın. {country} dışındaki bir ülke için + ve ülke koduyla başlayın.',
  ],
  letters: [
    'Um número tem só algarismos, espaços e + ( ) - .',
    'A number has only digits, spaces and + ( ) - .',
    'Un número solo tiene dígitos, espacios y + ( ) - .',
    'Numarada yalnızca rakam, boşluk ve + ( ) - . olur.',
  ],
  notCalled: [
    'Este não é um número válido ({country}). Confira o código de área, ou comece com + e o código do país.',
    'This is not a valid number ({country}). Check the area code, or begin with + and the country code.',
    'Este no es un número válido ({country}). Revise el código de área, o empiece con + y el código del país.',
    'Bu geçerli bir numara değil ({country}). Alan kodunu kontrol edin ya da + ve ülke koduyla başlayın.',
  ],
})
