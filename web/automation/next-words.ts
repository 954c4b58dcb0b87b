import type { ScheduledRuleId } from '#domain/automation/rules.ts'
import { words } from '#web/i18n.ts'

/** Text of each scheduled rule; `at` is one of `atWords`. */
export const nextWords = words<ScheduledRuleId>({
  'A-EXP-01': [
    'Encerra {at}, se ninguém escrever antes',
    'Closes {at}, unless somebody writes before',
    'Se cierra {at}, si nadie escribe antes',
    'Daha önce kimse yazmazsa {at} kapanır',
  ],
  'A-EXP-03': [
    'O cliente será avisado {at}, se não responder antes',
    'The customer is warned {at}, unless they answer before',
    'Se avisará al cliente {at}, si no responde antes',
    'Müşteri daha önce yanıtlamazsa {at} uyarılır',
  ],
  'A-EXP-05': [
    'Encerra {at}, se o cliente não responder antes',
    'Closes {at}, unless the customer answers before',
    'Se cierra {at}, si el cliente no responde antes',
    'Müşteri daha önce yanıtlamazsa {at} kapanır',
  ],
  'A-BOT-09': [
    'Vai para a fila de redirecionamento {at}, se ninguém o aceitar antes',
    'Goes to the redirect queue {at}, unless somebody accepts it before',
    'Va a la cola de redirección {at}, si nadie lo acepta antes',
    'Daha önce kimse kabul etmezse {at} yönlendirme kuyruğuna gider',
  ],
  'A-LANE-01': [
    'Passa para a próxima coluna {at}, se ninguém escrever antes',
    'Moves on to the next column {at}, unless somebody writes before',
    'Pasa a la columna siguiente {at}, si nadie escribe antes',
    'Daha önce kimse yazmazsa {at} sonraki sütuna geçer',
  ],
  'A-NPS-02': [
    'Encerra sem nota {at}, se o cliente não responder antes',
    'Closes without a rating {at}, unless the customer answers before',
    'Se cierra sin calificación {at}, si el cliente no responde antes',
    'Müşteri daha önce yanıtlamazsa {at} puansız kapanır',
  ],
  'A-ROT-01': [
    'O rodízio da fila passa adiante {at}, se ninguém o aceitar antes',
    'The queue’s rotation moves it on {at}, unless somebody accepts it before',
    'La rotación de la cola lo pasa {at}, si nadie lo acepta antes',
    'Daha önce kimse kabul etmezse kuyruk nöbeti {at} sonrakine geçirir',
  ],
})

export const atWords = words({
  today: ['às {hour}', 'at {hour}', 'a las {hour}', 'saat {hour}'],
  later: ['em {day} às {hour}', 'on {day} at {hour}', 'el {day} a las {hour}', '{day} saat {hour}'],
})
