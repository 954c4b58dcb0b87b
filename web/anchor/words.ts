import { words } from '#web/i18n.ts'

export const anchorWords = words({
  anchored: [
    'Ancorado até o registro {record} (âncora nº {number})',
    'Anchored up to record {record} (anchor no. {number})',
    'Anclado hasta el registro {record} (ancla n.º {number})',
    '{record}. kayda kadar çapalandı (çapa no. {number})',
  ],
  notAnchored: ['Ainda não ancorado', 'Not anchored yet', 'Aún no anclado', 'Henüz çapalanmadı'],
  since: ['depois dela: {n}', 'since then: {n}', 'después de ella: {n}', 'ondan sonra: {n}'],
  newestAnchor: ['Última âncora: nº {number}', 'Newest anchor: no. {number}', 'Última ancla: n.º {number}', 'Son çapa: no. {number}'],
  noAnchor: ['Ainda sem âncora', 'No anchor yet', 'Aún sin ancla', 'Henüz çapa yok'],
  anchorMeans: [
    'Uma âncora é uma assinatura deste servidor sobre o estado de todos os históricos, feita a cada dez minutos.',
    'An anchor is this server’s signature of the state of all histories, made every ten minutes.',
    'Un ancla es una firma de este servidor sobre el estado de todos los historiales, hecha cada diez minutos.',
    'Çapa, bu sunucunun tüm geçmişlerin durumu üzerine on dakikada bir attığı imzadır.',
  ],
  publicKey: ['Chave pública', 'Public key', 'Clave pública', 'Açık anahtar'],
  copyKey: [
    'Copiar a chave pública que confere âncoras e arquivos exportados',
    'Copy the public key that checks anchors and exported files',
    'Copiar la clave pública que verifica anclas y archivos exportados',
    'Çapaları ve dışa aktarılan dosyaları doğrulayan açık anahtarı kopyala',
  ],
})
