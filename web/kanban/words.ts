import { words } from '#web/i18n.ts'

export const kanbanWords = words({
  title: ['Kanban', 'Kanban', 'Kanban', 'Kanban'],
  addLanes: ['+ Adicionar colunas', '+ Add columns', '+ Agregar columnas', '+ Sütun ekle'],
  noLane: ['Em aberto', 'Open', 'Abiertos', 'Açık'],
  cards: ['{n} atendimentos', '{n} tickets', '{n} tickets', '{n} talep'],
  empty: ['Nenhum atendimento nesta coluna', 'No tickets in this column', 'Ningún ticket en esta columna', 'Bu sütunda talep yok'],
  moveTo: ['Mover {name} para', 'Move {name} to', 'Mover a {name} a', '{name} talebini taşı'],
  moved: ['{name} agora está em {lane}.', '{name} is now in {lane}.', '{name} está ahora en {lane}.', '{name} artık {lane} sütununda.'],
  see: ['Ver Ticket', 'See ticket', 'Ver ticket', 'Talebi gör'],
  hint: [
    'Arraste um cartão, escolha a coluna nele ou use Shift com ← e →.',
    'Drag a card, choose its column on it, or use Shift with ← and →.',
    'Arrastre una tarjeta, elija su columna en ella o use Shift con ← y →.',
    'Kartı sürükleyin, üzerinden sütununu seçin ya da Shift ile ← ve → kullanın.',
  ],
  lanes: ['Colunas do Kanban', 'Kanban columns', 'Columnas del Kanban', 'Kanban sütunları'],
  addLane: ['Nova coluna', 'New column', 'Nueva columna', 'Yeni sütun'],
  editLane: ['Editar coluna', 'Edit column', 'Editar columna', 'Sütunu düzenle'],
  noLanes: ['Nenhuma coluna ainda', 'No columns yet', 'Aún no hay columnas', 'Henüz sütun yok'],
  lanesLead: [
    'Cada coluna é uma etapa pela qual os atendimentos passam.',
    'Each column is a stage that tickets go through.',
    'Cada columna es una etapa por la que pasan los tickets.',
    'Her sütun taleplerin geçtiği bir aşamadır.',
  ],
  goes: [
    'Os atendimentos desta coluna voltam para “Em aberto”.',
    'The tickets of this column go back to “Open”.',
    'Los tickets de esta columna vuelven a “Abiertos”.',
    'Bu sütundaki talepler “Açık” sütununa döner.',
  ],
  back: ['Voltar para o Kanban', 'Back to the Kanban', 'Volver al Kanban', 'Kanban’a dön'],
})
