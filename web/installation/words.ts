import { words } from '#web/i18n.ts'

export const installationWords = words({
  worker: [
    'Nenhum processo de trabalho está em execução no servidor: nada é recebido nem enviado. Avise o operador.',
    'No worker process is running on the server: nothing is received or sent. Notify the operator.',
    'Ningún proceso de trabajo se ejecuta en el servidor: no se recibe ni se envía nada. Avise al operador.',
    'Sunucuda çalışan süreç yok: hiçbir şey alınmıyor ve gönderilmiyor. İşletmeciye haber verin.',
  ],
  projector: [
    'Nenhum projetor está em execução no servidor: listas e conversas mostram dados antigos. Avise o operador.',
    'No projector is running on the server: lists and conversations show old data. Notify the operator.',
    'Ningún proyector se ejecuta en el servidor: las listas y conversaciones muestran datos antiguos. Avise al operador.',
    'Sunucuda projektör çalışmıyor: listeler ve görüşmeler eski verileri gösteriyor. İşletmeciye haber verin.',
  ],
  Redis: [
    'A fila de tarefas (Redis) do servidor está fora do ar: operações em massa e e-mails esperam; o resto funciona.',
    'The server’s job queue (Redis) is down: bulk operations and emails wait; everything else works.',
    'La cola de tareas (Redis) del servidor está caída: las operaciones masivas y los correos esperan; lo demás funciona.',
    'Sunucunun iş kuyruğu (Redis) çalışmıyor: toplu işlemler ve e-postalar bekliyor; diğer her şey çalışıyor.',
  ],
  Disk: [
    'O disco do servidor está cheio: nenhum arquivo pode ser guardado. Avise o operador.',
    'The server’s disk is full: no file can be stored. Notify the operator.',
    'El disco del servidor está lleno: no se puede guardar ningún archivo. Avise al operador.',
    'Sunucunun diski dolu: hiçbir dosya saklanamaz. İşletmeciye haber verin.',
  ],
  S3: [
    'O armazenamento de arquivos (S3) do servidor está fora do ar: nenhum arquivo pode ser guardado nem mostrado; o resto funciona.',
    'The server’s file storage (S3) is down: no file can be stored or shown; everything else works.',
    'El almacenamiento de archivos (S3) del servidor está caído: no se puede guardar ni mostrar ningún archivo; lo demás funciona.',
    'Sunucunun dosya deposu (S3) çalışmıyor: hiçbir dosya saklanamaz veya gösterilemez; diğer her şey çalışıyor.',
  ],
  noPublicUrl: [
    'PUBLIC_URL não está definida no servidor: os links dos e-mails levam a {address}, que talvez só abra nele.',
    'PUBLIC_URL is not set on the server: links in emails lead to {address}, which may open only there.',
    'PUBLIC_URL no está definida en el servidor: los enlaces de los correos llevan a {address}, que quizá solo se abra allí.',
    'Sunucuda PUBLIC_URL ayarlı değil: e-postalardaki bağlantılar {address} adresine gider; bu adres yalnızca orada açılabilir.',
  ],
})
