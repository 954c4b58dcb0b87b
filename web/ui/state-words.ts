import { words } from '#web/i18n.ts'

/**
 * Texts of loading and error states. They are apart from `uiWords`, which loads with the first page that needs it.
 */
export const stateWords = words({
  close: ['Fechar', 'Close', 'Cerrar', 'Kapat'],
  clear: ['Limpar busca', 'Clear search', 'Limpiar búsqueda', 'Aramayı temizle'],
  retry: ['Tentar de novo', 'Try again', 'Reintentar', 'Yeniden dene'],
  loading: ['Carregando…', 'Loading…', 'Cargando…', 'Yükleniyor…'],
  failed: ['Não foi possível carregar', 'Could not be loaded', 'No se pudo cargar', 'Yüklenemedi'],
  kept: [
    'O que já estava na tela continua aqui.',
    'What was on screen is still here.',
    'Lo que estaba en pantalla sigue aquí.',
    'Ekrandakiler yerinde duruyor.',
  ],
  details: ['Detalhes para o suporte', 'Details for support', 'Detalles para soporte', 'Destek için ayrıntılar'],
})
