import { hoursFault, type Schedules, shifts, type Weekday } from '#domain/hours/contract.ts'
import { translate, words } from '#web/i18n.ts'
import { timeMeant } from './time.ts'

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
  nextDay: ['dia seguinte', 'next day', 'día siguiente', 'ertesi gün'],
  overlap: ['Os dois turnos se sobrepõem.', 'The two shifts overlap.', 'Los dos turnos se superponen.', 'İki vardiya çakışıyor.'],
  noTime: [
    'Isto não é uma hora do dia, de 00:00 a 23:59.',
    'This is not a time of day from 00:00 to 23:59.',
    'Esto no es una hora del día, de 00:00 a 23:59.',
    'Bu, 00:00 ile 23:59 arasında bir saat değil.',
  ],
  half: [
    'Falta uma das horas; assim o turno não vale.',
    'One of the times is missing; the shift does not count as it is.',
    'Falta una de las horas; así el turno no cuenta.',
    'Saatlerden biri eksik; bu hâliyle vardiya geçerli değil.',
  ],
  rememberToSave: [
    'Clique em salvar para registrar as alterações',
    'Click Save to keep the changes',
    'Haga clic en Guardar para conservar los cambios',
    'Değişiklikleri kaydetmek için kaydet düğmesine basın',
  ],
  companyHours: [
    'Horário de atendimento da empresa',
    'Service hours of the company',
    'Horario de atención de la empresa',
    'Şirketin mesai saatleri',
  ],
  save: ['Salvar horários', 'Save hours', 'Guardar horarios', 'Saatleri kaydet'],
  saved: ['Horários atualizados com sucesso.', 'Hours updated.', 'Horarios actualizados.', 'Saatler güncellendi.'],
  unused: [
    'Valem quando o horário é o da empresa.',
    'They apply when the hours are those of the company.',
    'Valen cuando el horario es el de la empresa.',
    'Saat türü “şirket” olduğunda geçerlidir.',
  ],
  theirs: [
    'Outra pessoa mudou estes horários enquanto você os mudava. Os seus ficaram aqui: salve de novo para que valham.',
    'Someone else changed these hours while you were changing them. Yours are still here: save again to apply them.',
    'Otra persona cambió estos horarios mientras usted los cambiaba. Los suyos siguen aquí: guarde de nuevo para que valgan.',
    'Siz değiştirirken bu saatleri başka biri de değiştirdi. Sizinkiler burada duruyor: geçerli olmaları için yeniden kaydedin.',
  ],
  holidays: ['Feriados', 'Holidays', 'Feriados', 'Resmî tatiller'],
  holidaysHint: [
    'Nestes dias tudo fica fechado, como num dia sem horário.',
    'On these days everything is closed, as on a day without hours.',
    'En estos días todo está cerrado, como en un día sin horario.',
    'Bu günlerde her yer, saati olmayan bir gün gibi kapalıdır.',
  ],
  date: ['Data', 'Date', 'Fecha', 'Tarih'],
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  addHoliday: ['Adicionar feriado', 'Add a holiday', 'Agregar feriado', 'Tatil ekle'],
  removeHoliday: ['Remover {name}', 'Remove {name}', 'Quitar {name}', '{name} kaldır'],
  noHolidays: ['Nenhum feriado ainda', 'No holidays yet', 'Aún no hay feriados', 'Henüz tatil yok'],
  twice: ['Este dia já está na lista.', 'This day is already in the list.', 'Este día ya está en la lista.', 'Bu gün zaten listede.'],
  needBoth: [
    'Escolha a data e dê um nome.',
    'Choose the date and give it a name.',
    'Elija la fecha y dele un nombre.',
    'Tarihi seçin ve ad verin.',
  ],
  holidaySaved: ['Feriados atualizados.', 'Holidays updated.', 'Feriados actualizados.', 'Tatiller güncellendi.'],
  holidayRemoved: ['{name} não é mais feriado', '{name} is no longer a holiday', '{name} ya no es feriado', '{name} artık tatil değil'],
  propose: ['Propor feriados', 'Suggest holidays', 'Proponer feriados', 'Tatil öner'],
  country: ['País', 'Country', 'País', 'Ülke'],
  state: ['Estado', 'State', 'Estado', 'Eyalet'],
  wholeCountry: ['Só os nacionais', 'National ones only', 'Solo los nacionales', 'Yalnızca ulusal olanlar'],
  year: ['Ano', 'Year', 'Año', 'Yıl'],
  noneKnown: [
    'Não conhecemos feriados deste ano neste lugar. Adicione-os você mesmo.',
    'We know of no holidays there in that year. Add them yourself.',
    'No conocemos feriados de ese año en ese lugar. Agréguelos usted mismo.',
    'O yıl orada bildiğimiz bir tatil yok. Kendiniz ekleyin.',
  ],
  alreadyThere: ['já está na lista', 'already in the list', 'ya está en la lista', 'zaten listede'],
  notByLaw: ['ponto facultativo', 'optional', 'no obligatorio', 'zorunlu değil'],
  addOne: ['Adicionar 1 feriado', 'Add 1 holiday', 'Agregar 1 feriado', '1 tatil ekle'],
  addSome: ['Adicionar {n} feriados', 'Add {n} holidays', 'Agregar {n} feriados', '{n} tatil ekle'],
})

/** The error of a typed shift. A shift with one time missing would count as none, which nobody types on purpose. */
export function shiftProblem(from: string, to: string): 'noTime' | 'half' | null {
  if (timeMeant(from) === null || timeMeant(to) === null) return 'noTime'
  return (from === '') !== (to === '') ? 'half' : null
}

/** The error text of hours that cannot be saved. */
export function hoursProblem(value: unknown): string | null {
  const week = value as Schedules
  const found = week.flatMap((day) => shifts.map(([from, to]) => shiftProblem(day[from], day[to]))).find((one) => one !== null)
  const problem = found ?? (hoursFault(week) && 'overlap')
  return problem && translate(hoursWords, problem)
}
