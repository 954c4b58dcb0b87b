import type { ErrorTexts } from '#domain/errors.ts'

export const ticketErrors = {
  ERR_RATING_REQUIRED: ['Avaliação obrigatória', 'A rating is required.', 'La calificación es obligatoria.', 'Değerlendirme zorunludur.'],
  ERR_NO_TICKET_FOUND: [
    'Nenhum atendimento encontrado com este ID.',
    'No ticket found with this ID.',
    'No se encontró ningún ticket con este ID.',
    'Bu kimlikle talep bulunamadı.',
  ],
  ERR_OTHER_OPEN_TICKET: [
    'Já existe um atendimento aberto para este contato.',
    'There is already an open ticket for this contact.',
    'Ya existe un ticket abierto para este contacto.',
    'Bu kişi için zaten açık bir talep var.',
  ],
  ERR_QUEUE_REQUIRED: ['Selecione uma fila', 'Choose a queue', 'Seleccione una cola', 'Bir kuyruk seçin'],
  ERR_TAG_REQUIRED: [
    'Você deve atribuir uma tag antes de encerrar o atendimento.',
    'You must assign a tag before closing the ticket.',
    'Debe asignar una etiqueta antes de cerrar el ticket.',
    'Talebi kapatmadan önce bir etiket atamalısınız.',
  ],
  ERR_TICKET_NOT_OPEN: [
    'Este atendimento não está aberto.',
    'This ticket is not open.',
    'Este ticket no está abierto.',
    'Bu talep açık değil.',
  ],
  ERR_UNDO_GONE: [
    'Não dá mais para desfazer: alguém já agiu no atendimento ou o contato já escreveu.',
    'It can no longer be undone: someone has acted on the ticket, or the contact has written.',
    'Ya no se puede deshacer: alguien actuó en el ticket o el contacto escribió.',
    'Artık geri alınamaz: biri talepte işlem yaptı ya da kişi yazdı.',
  ],
  ERR_TICKET_CONNECTION_GONE: [
    'A conexão deste atendimento foi excluída: ele não pode ser reaberto. Abra um novo atendimento com o contato.',
    'The connection of this ticket was deleted, so it cannot be reopened. Open a new ticket with the contact.',
    'La conexión de este ticket fue eliminada: no se puede reabrir. Abra un ticket nuevo con el contacto.',
    'Bu talebin bağlantısı silindi, yeniden açılamaz. Kişiyle yeni bir talep açın.',
  ],
  ERR_TICKET_CHANGED: [
    'Alguém respondeu enquanto você escrevia. Confira antes de enviar.',
    'Someone replied while you were writing. Check before you send.',
    'Alguien respondió mientras usted escribía. Revise antes de enviar.',
    'Siz yazarken biri yanıtladı. Göndermeden önce bakın.',
  ],
  ERR_CREATING_TICKET: [
    'Ocorreu um erro ao criar o atendimento.',
    'An error occurred while creating the ticket.',
    'Ocurrió un error al crear el ticket.',
    'Talep oluşturulurken bir hata oluştu.',
  ],
} as const satisfies ErrorTexts
