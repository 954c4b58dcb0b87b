import type { ScheduledRuleId } from '#domain/automation/rules.ts'
import { words } from '#web/i18n.ts'

/** Text of each scheduled rule; `at` is one of `atWords`. */
export const nextWords = words<ScheduledRuleId>({
  'A-EXP-01': [
    'Encerra {at}, se ninguém escrever antes',
    'Closes {at}, unless someone writes first',
    'Se cierra {at}, si nadie escribe antes',
    'Daha önce kimse yazmazsa {at} kapanır',
  ],
  'A-EXP-03': [
    'O cliente será avisado {at}, se não responder antes',
    'The customer is warned {at}, unless they reply first',
    'Se avisará al cliente {at}, si no responde antes',
    'Müşteri daha önce yanıtlamazsa {at} uyarılır',
  ],
  'A-EXP-05': [
    'Encerra {at}, se o cliente não responder antes',
    'Closes {at}, unless the customer replies first',
    'Se cierra {at}, si el cliente no responde antes',
    'Müşteri daha önce yanıtlamazsa {at} kapanır',
  ],
  'A-BOT-09': [
    'Vai para a fila de redirecionamento {at}, se ninguém o aceitar antes',
    'Goes to the redirect queue {at}, unless someone accepts it first',
    'Va a la cola de redirección {at}, si nadie lo acepta antes',
    'Daha önce kimse kabul etmezse {at} yönlendirme kuyruğuna gider',
  ],
  'A-LANE-01': [
    'Passa para a próxima coluna {at}, se ninguém escrever antes',
    'Moves to the next column {at}, unless someone writes first',
    'Pasa a la columna siguiente {at}, si nadie escribe antes',
    'Daha önce kimse yazmazsa {at} sonraki sütuna geçer',
  ],
  'A-NPS-02': [
    'Encerra sem avaliação {at}, se o cliente não responder antes',
    'Closes without a rating {at}, unless the customer replies first',
    'Se cierra sin calificación {at}, si el cliente no responde antes',
    'Müşteri daha önce yanıtlamazsa {at} değerlendirmesiz kapanır',
  ],
  'A-ROT-01': [
    'O rodízio da fila passa adiante {at}, se ninguém o aceitar antes',
    'Queue rotation moves it to the next agent {at}, unless someone accepts it first',
    'La rotación de la cola lo pasa {at}, si nadie lo acepta antes',
    'Daha önce kimse kabul etmezse {at} sıradaki temsilciye geçer',
  ],
})

export const atWords = words({
  today: ['às {hour}', 'at {hour}', 'a las {hour}', 'saat {hour}'],
  later: ['em {day} às {hour}', 'on {day} at {hour}', 'el {day} a las {hour}', '{day} saat {hour}'],
})
