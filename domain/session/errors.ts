import type { ErrorTexts } from '#domain/errors.ts'

export const sessionErrors = {
  ERR_SESSION_EXPIRED: [
    'Sessão expirada. Entre novamente.',
    'Session expired. Please sign in.',
    'Sesión caducada. Inicie sesión.',
    'Oturum süresi doldu. Yeniden oturum açın.',
  ],
  ERR_INVALID_CREDENTIALS: [
    'Erro de autenticação. Por favor, tente novamente.',
    'Authentication error. Please try again.',
    'Error de autenticación. Vuelva a intentarlo.',
    'Kimlik doğrulama hatası. Lütfen yeniden deneyin.',
  ],
  ERR_PASSWORD_LINK: [
    'Este link não vale mais. Peça um novo a quem o enviou.',
    'This link is no longer valid. Ask the sender for a new one.',
    'Este enlace ya no es válido. Pida uno nuevo a quien se lo envió.',
    'Bu bağlantı artık geçerli değil. Gönderen kişiden yenisini isteyin.',
  ],
  ERR_RESET_TOKEN: [
    'Token de redefinição ausente ou inválido. Por favor, solicite um novo link de redefinição.',
    'The reset link is missing or no longer valid. Please ask for a new one.',
    'El enlace de restablecimiento falta o ya no es válido. Solicite uno nuevo.',
    'Sıfırlama bağlantısı eksik ya da geçersiz. Lütfen yenisini isteyin.',
  ],
  ERR_OUT_OF_HOURS: ['Fora do horário de expediente.', 'Outside business hours.', 'Fuera del horario laboral.', 'Mesai saatleri dışında.'],
  ERR_SUBSCRIPTION_EXPIRED: [
    'A assinatura da empresa venceu. Entre em contato com o suporte.',
    'The company’s subscription has expired. Contact support.',
    'La suscripción de la empresa venció. Contacte con soporte.',
    'Şirketin aboneliği sona erdi. Destekle iletişime geçin.',
  ],
  ERR_NO_PERMISSION: [
    'Você não tem permissão para acessar este recurso.',
    'You do not have permission for this resource.',
    'No tiene permiso para acceder a este recurso.',
    'Bu kaynağa erişim izniniz yok.',
  ],
  ERR_NO_PLAN: [
    'Esta empresa não possui permissão para acessar essa página! Estamos lhe redirecionando.',
    'This company does not have permission for this page! Redirecting you.',
    '¡Esta empresa no tiene permiso para acceder a esta página! Le estamos redirigiendo.',
    'Bu şirketin bu sayfaya erişim izni yok! Yönlendiriliyorsunuz.',
  ],
} as const satisfies ErrorTexts
