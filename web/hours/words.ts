import type { Weekday } from '#domain/hours/contract.ts'
import { words } from '#web/i18n.ts'

export const weekdayWords = words<Weekday>({
  monday: ['Segunda-feira', 'Monday', 'Lunes', 'Pazartesi'],
  tuesday: ['Terça-feira', 'Tuesday', 'Martes', 'Salı'],
  wednesday: ['Quarta-feira', 'Wednesday', 'Miércoles', 'Çarşamba'],
  thursday: ['Quinta-feira', 'Thursday', 'Jueves', 'Perşembe'],
  friday: ['Sexta-feira', 'Friday', 'Viernes', 'Cuma'],
  saturday: ['Sábado', 'Saturday', 'Sábado', 'Cumartesi'],
  sunday: ['Domingo', 'Sunday', 'Domingo', 'Pazar'],
})

export const hoursWords = words({
  shiftA: ['Primeiro turno', 'First shift', 'Primer turno', 'Birinci vardiya'],
  shiftB: ['Segundo turno', 'Second shift', 'Segundo turno', 'İkinci vardiya'],
  from: ['das', 'from', 'de', 'başlangıç'],
  to: ['às', 'to', 'a', 'bitiş'],
  copy: [
    'Copiar {day} para todos os dias',
    'Copy {day} to all days',
    'Copiar {day} a todos los días',
    '{day} saatlerini tüm günlere kopyala',
  ],
  shut: ['Fechar {day}', 'Close {day}', 'Cerrar {day}', '{day} gününü kapat'],
  closed: ['Fechado o dia todo', 'Closed all day', 'Cerrado todo el día', 'Tüm gün kapalı'],
  endsFirst: [
    'Termina antes de começar. Para virar a noite, use os dois dias.',
    'It ends before it begins. To go over midnight, use both days.',
    'Termina antes de empezar. Para pasar la medianoche, use los dos días.',
    'Başlamadan bitiyor. Gece yarısını geçmek için iki günü de kullanın.',
  ],
  half: [
    'Falta uma das horas; assim o turno não vale.',
    'One of the times is missing; as it is, the shift does not count.',
    'Falta una de las horas; así el turno no cuenta.',
    'Saatlerden biri eksik; bu hâliyle vardiya geçerli değil.',
  ],
  rememberToSave: [
    'Clique em salvar para registar as alterações',
    'Click save to keep the changes',
    'Haga clic en guardar para registrar los cambios',
    'Değişiklikleri kaydetmek için kaydet düğmesine basın',
  ],
  companyHours: [
    'Horário de atendimento da empresa',
    'Service hours of the company',
    'Horario de atención de la empresa',
    'Şirketin hizmet saatleri',
  ],
  save: ['Salvar horários', 'Save hours', 'Guardar horarios', 'Saatleri kaydet'],
  saved: ['Horários atualizados com sucesso.', 'Hours updated.', 'Horarios actualizados.', 'Saatler güncellendi.'],
  unused: [
    'Valem quando o tipo de horário é “empresa”.',
    'They count where the hours are those of the company.',
    'Valen cuando el tipo de horario es “empresa”.',
    'Saat türü “şirket” olduğunda geçerlidir.',
  ],
  holidays: ['Feriados', 'Holidays', 'Feriados', 'Resmî tatiller'],
  holidaysHint: [
    'Nestes dias tudo fica fechado, como num dia sem horário.',
    'On these days all is closed, as on a day without hours.',
    'En estos días todo está cerrado, como en un día sin horario.',
    'Bu günlerde her yer, saati olmayan bir gün gibi kapalıdır.',
  ],
  date: ['Data', 'Date', 'Fecha', 'Tarih'],
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  addHoliday: ['Adicionar feriado', 'Add a holiday', 'Añadir feriado', 'Tatil ekle'],
  removeHoliday: ['Remover {name}', 'Remove {name}', 'Quitar {name}', '{name} kaldır'],
  noHolidays: ['Nenhum feriado ainda', 'No holidays yet', 'Aún no hay feriados', 'Henüz tatil yok'],
  twice: ['Este dia já está na lista.', 'This day is in the list already.', 'Este día ya está en la lista.', 'Bu gün zaten listede.'],
  needBoth: [
    'Escolha a data e dê um nome.',
    'Choose the date and give it a name.',
    'Elija la fecha y dele un nombre.',
    'Tarihi seçin ve ad verin.',
  ],
  holidaySaved: ['Feriados atualizados.', 'Holidays updated.', 'Feriados actualizados.', 'Tatiller güncellendi.'],
})
