import type { ErrorTexts } from '#domain/errors.ts'

export const reportFilterErrors = {
  ERR_NO_REPORT_FILTER_FOUND: [
    'Este filtro salvo não existe mais.',
    'This saved filter no longer exists.',
    'Este filtro guardado ya no existe.',
    'Bu kayıtlı filtre artık yok.',
  ],
  ERR_REPORT_FILTERS_TOO_MANY: [
    'Você já tem {most} filtros salvos. Exclua um para salvar outro.',
    'You already have {most} saved filters. Delete one to save another.',
    'Ya tiene {most} filtros guardados. Elimine uno para guardar otro.',
    'Zaten {most} kayıtlı filtreniz var. Yenisini kaydetmek için birini silin.',
  ],
  ERR_REPORT_MAIL_RECIPIENT: [
    'Uma das pessoas escolhidas não pode ver o relatório. Confira os destinatários.',
    'One of the chosen people may not see the report. Check the recipients.',
    'Una de las personas elegidas no puede ver el informe. Revise los destinatarios.',
    'Seçilen kişilerden biri raporu göremiyor. Alıcıları kontrol edin.',
  ],
} as const satisfies ErrorTexts
