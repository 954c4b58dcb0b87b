import type { ErrorTexts } from '#domain/errors.ts'

/** A-PLAN-01. */
export const planErrors = {
  ERR_PLAN_USERS: [
    'Número máximo de usuários atingido: {limit}',
    'Maximum number of users reached: {limit}',
    'Número máximo de usuarios alcanzado: {limit}',
    'En yüksek kullanıcı sayısına ulaşıldı: {limit}',
  ],
  ERR_PLAN_CONNECTIONS: [
    'Número máximo de conexões atingido: {limit}',
    'Maximum number of connections reached: {limit}',
    'Número máximo de conexiones alcanzado: {limit}',
    'En yüksek bağlantı sayısına ulaşıldı: {limit}',
  ],
  ERR_PLAN_QUEUES: [
    'Número máximo de filas atingido: {limit}',
    'Maximum number of queues reached: {limit}',
    'Número máximo de colas alcanzado: {limit}',
    'En yüksek kuyruk sayısına ulaşıldı: {limit}',
  ],
} as const satisfies ErrorTexts
