import type { StepName } from '#domain/checklist/contract.ts'
import { type Translations, words } from '#web/i18n.ts'

export const checklistWords = words({
  title: ['Primeiros passos', 'First steps', 'Primeros pasos', 'İlk adımlar'],
  lead: [
    'Com isto feito, um bot atende os seus clientes. {done} de {all} prontos.',
    'Once this is done, a bot serves your customers. {done} of {all} done.',
    'Con esto hecho, un bot atiende a sus clientes. {done} de {all} listos.',
    'Bunlar bitince müşterilerinize bir bot hizmet verir. {all} adımdan {done} tanesi hazır.',
  ],
  done: ['feito', 'done', 'hecho', 'tamam'],
  hide: ['Ocultar a lista', 'Hide the list', 'Ocultar la lista', 'Listeyi gizle'],
  hidden: [
    'Lista oculta. Ela volta em Configurações, Primeiros passos.',
    'List hidden. It comes back in Settings, First steps.',
    'Lista oculta. Vuelve en Configuración, Primeros pasos.',
    'Liste gizlendi. Ayarlar, İlk adımlar bölümünden geri gelir.',
  ],
  undo: ['Desfazer', 'Undo', 'Deshacer', 'Geri al'],
})

export const stepWords = words({
  team: ['Chame a equipe', 'Add your team', 'Agregue a su equipo', 'Ekibinizi ekleyin'],
  queue: ['Crie uma fila', 'Create a queue', 'Cree una cola', 'Kuyruk oluşturun'],
  connection: ['Conecte um número', 'Connect a number', 'Conecte un número', 'Numara bağlayın'],
  greeting: ['Escreva a saudação', 'Write the greeting', 'Escriba el saludo', 'Karşılamayı yazın'],
  hours: ['Defina os horários', 'Set your hours', 'Defina los horarios', 'Saatlerinizi belirleyin'],
  test: ['Envie uma mensagem de teste', 'Send a test message', 'Envíe un mensaje de prueba', 'Test mesajı gönderin'],
} satisfies Record<StepName, Translations>)

/** How to do each step. */
export const hintWords = words({
  team: [
    'Quem atende com você; cada um define a própria senha por um link.',
    'The people who serve with you; each sets their own password through a link.',
    'Quien atiende con usted; cada uno define su contraseña por un enlace.',
    'Sizinle hizmet verenler; herkes parolasını bir bağlantıyla belirler.',
  ],
  queue: [
    'Um setor, como Vendas ou Suporte, com as opções do bot.',
    'A department, such as Sales or Support, with the options of its bot.',
    'Un sector, como Ventas o Soporte, con las opciones de su bot.',
    'Satış veya Destek gibi bir bölüm ve botunun seçenekleri.',
  ],
  connection: [
    'Leia o código com o celular da empresa.',
    'Scan the code with the company’s phone.',
    'Lea el código con el teléfono de la empresa.',
    'Kodu şirketin telefonuyla okutun.',
  ],
  greeting: [
    'Na conexão: o texto de boas-vindas e as filas que o bot oferece.',
    'In the connection: the welcome text and the queues that the bot offers.',
    'En la conexión: la bienvenida y las colas que ofrece el bot.',
    'Bağlantıda: karşılama metni ve botun sunduğu kuyruklar.',
  ],
  hours: [
    'Quando vocês atendem, e o que o cliente lê fora do horário.',
    'When you serve customers, and what a customer reads out of hours.',
    'Cuándo atienden, y qué lee el cliente fuera del horario.',
    'Ne zaman hizmet verdiğiniz ve müşterinin saat dışında ne okuduğu.',
  ],
  hoursText: [
    'Falta o texto fora do horário, ou um horário fechado. Atendem o tempo todo? Confirme em Configurações.',
    'The out-of-hours text or a closed time is missing. Always open? Confirm it in Settings.',
    'Falta el texto fuera del horario, o un horario cerrado. ¿Atienden todo el tiempo? Confírmelo en Configuración.',
    'Saat dışı metni veya kapalı bir saat eksik. Her zaman açık mısınız? Ayarlar bölümünde onaylayın.',
  ],
  test: [
    'De um celular, para o seu número: o bot responde.',
    'From a phone to your number: the bot answers.',
    'Desde un teléfono a su número: el bot responde.',
    'Bir telefondan numaranıza: bot yanıtlar.',
  ],
} satisfies Record<StepName | 'hoursText', Translations>)
