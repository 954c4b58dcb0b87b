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
  ERR_DUPLICATED_EMAIL: [
    'Este e-mail já está em uso.',
    'This email is already in use.',
    'Este correo ya está en uso.',
    'Bu e-posta zaten kullanılıyor.',
  ],
  ERR_OWN_USER: [
    'Ninguém exclui a si mesmo. Peça a outro administrador.',
    'You cannot delete yourself. Ask another administrator.',
    'Nadie se elimina a sí mismo. Pídaselo a otro administrador.',
    'Kimse kendini silemez. Başka bir yöneticiden isteyin.',
  ],
  ERR_LAST_ADMIN: [
    'A empresa precisa de pelo menos um administrador.',
    'The company needs at least one administrator.',
    'La empresa necesita al menos un administrador.',
    'Şirketin en az bir yöneticisi olmalı.',
  ],
  ERR_WRONG_PASSWORD: [
    'A senha atual não confere.',
    'The current password is incorrect.',
    'La contraseña actual no es correcta.',
    'Geçerli parola doğru değil.',
  ],
  ERR_SHORT_PASSWORD: [
    'A senha de um administrador precisa de pelo menos 8 caracteres.',
    'The password of an administrator needs at least 8 characters.',
    'La contraseña de un administrador necesita al menos 8 caracteres.',
    'Bir yöneticinin parolası en az 8 karakter olmalı.',
  ],
  ERR_WEAK_PASSWORD: [
    'Esta senha é fácil de adivinhar. Escolha outra.',
    'This password is easy to guess. Choose another.',
    'Esta contraseña es fácil de adivinar. Elija otra.',
    'Bu parola kolay tahmin edilir. Başka bir tane seçin.',
  ],
} as const satisfies ErrorTexts
