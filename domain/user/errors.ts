import type { ErrorTexts } from '#domain/errors.ts'

export const userErrors = {
  ERR_USER_CREATION_DISABLED: [
    'A criação do usuário foi desabilitada pelo administrador.',
    'User creation was disabled by the administrator.',
    'La creación de usuarios fue deshabilitada por el administrador.',
    'Kullanıcı oluşturma yönetici tarafından kapatıldı.',
  ],
  ERR_NO_USER_FOUND: [
    'Nenhum usuário encontrado com este ID.',
    'No user found with this ID.',
    'No se encontró ningún usuario con este ID.',
    'Bu kimlikle kullanıcı bulunamadı.',
  ],
} as const satisfies ErrorTexts
