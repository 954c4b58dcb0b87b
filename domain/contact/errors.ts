import type { ErrorTexts } from '#domain/errors.ts'

export const contactErrors = {
  ERR_CONTACT_FIELD: [
    'Uma informação extra tem um valor que não serve para o seu tipo: número, data, sim/não ou opção da lista.',
    'An extra field has a value that does not fit its type: number, date, yes/no or option of a list.',
    'Una información extra tiene un valor que no corresponde a su tipo: número, fecha, sí/no u opción de la lista.',
    'Bir ek bilginin değeri türüne uymuyor: sayı, tarih, evet/hayır veya liste seçeneği.',
  ],
  ERR_NO_CONTACT_FOUND: [
    'Nenhum contato encontrado com este ID.',
    'No contact found with this ID.',
    'No se encontró ningún contacto con este ID.',
    'Bu kimlikle kişi bulunamadı.',
  ],
  ERR_DUPLICATED_CONTACT: [
    'Já existe um contato com este número.',
    'A contact with this number already exists.',
    'Ya existe un contacto con este número.',
    'Bu numarayla bir kişi zaten var.',
  ],
  ERR_MERGE_SELF: [
    'Um contato não pode ser mesclado com ele mesmo. Escolha outro contato.',
    'A contact cannot be merged with itself. Choose another contact.',
    'Un contacto no se puede fusionar consigo mismo. Elija otro contacto.',
    'Bir kişi kendisiyle birleştirilemez. Başka bir kişi seçin.',
  ],
  ERR_MERGE_GROUP: [
    'Grupos não podem ser mesclados.',
    'Groups cannot be merged.',
    'Los grupos no se pueden fusionar.',
    'Gruplar birleştirilemez.',
  ],
  ERR_MERGE_ACTIVE_TICKETS: [
    'Os dois contatos têm um atendimento ativo na mesma conexão. Resolva um deles e mescle depois.',
    'Both contacts have an active ticket on the same connection. Resolve one of them, then merge.',
    'Los dos contactos tienen un ticket activo en la misma conexión. Resuelva uno de ellos y fusione después.',
    'İki kişinin aynı bağlantıda etkin talebi var. Birini çözün, sonra birleştirin.',
  ],
  ERR_MERGED_FURTHER: [
    'O contato foi mesclado depois com outro. Desfaça primeiro essa mesclagem.',
    'The contact was merged into another one afterwards. Undo that merge first.',
    'El contacto se fusionó después con otro. Deshaga primero esa fusión.',
    'Kişi sonradan başka bir kişiyle birleştirildi. Önce o birleştirmeyi geri alın.',
  ],
  ERR_WAPP_CHECK_CONTACT: [
    'Não foi possível verificar o contato.',
    'The contact could not be checked.',
    'No se pudo verificar el contacto.',
    'Kişi doğrulanamadı.',
  ],
  ERR_WAPP_INVALID_CONTACT: [
    'Este não é um número de WhatsApp válido.',
    'This is not a valid WhatsApp number.',
    'Este no es un número de WhatsApp válido.',
    'Bu geçerli bir WhatsApp numarası değil.',
  ],
  ERR_OTHER_CHANNEL: [
    'Este contato não é deste canal: escolha uma conexão do canal dele.',
    'This contact is not on this channel: choose a connection of their own channel.',
    'Este contacto no es de este canal: elija una conexión de su canal.',
    'Bu kişi bu kanalda değil: kendi kanalından bir bağlantı seçin.',
  ],
} as const satisfies ErrorTexts
