import type { ErrorTexts } from '#domain/errors.ts'

export const dataRequestErrors = {
  ERR_NO_DATA_REQUEST_FOUND: [
    'Este arquivo não existe mais, ou ainda não está pronto.',
    'This file no longer exists, or is not ready yet.',
    'Este archivo ya no existe, o aún no está listo.',
    'Bu dosya artık yok ya da henüz hazır değil.',
  ],
  ERR_DATA_REQUEST_GROUP: [
    'Isto vale para uma pessoa, e este contato é um grupo.',
    'This is for one person, and this contact is a group.',
    'Esto es para una persona, y este contacto es un grupo.',
    'Bu işlem bir kişi içindir, bu kayıt ise bir grup.',
  ],
  ERR_ERASURE_NAME: [
    'O nome digitado não é o do contato. Nada foi apagado.',
    'The name you typed is not the name of the contact. Nothing was erased.',
    'El nombre escrito no es el del contacto. No se borró nada.',
    'Yazılan ad bu kişinin adı değil. Hiçbir şey silinmedi.',
  ],
} as const satisfies ErrorTexts
