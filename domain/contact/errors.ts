import type { ErrorTexts } from '#domain/errors.ts'

export const contactErrors = {
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
