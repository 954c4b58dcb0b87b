import type { ErrorTexts } from '#domain/errors.ts'

/** A-PLAN-01. */
export const planErrors = {
  ERR_PLAN_USERS: [
    'Número máximo de usuários atingido: {limit}',
    'Maximum number of users reached: {limit}',
    'Número máximo de usuarios alcanzado: {limit}',
    'En fazla kullanıcı sayısına ulaşıldı: {limit}',
  ],
  ERR_PLAN_CONNECTIONS: [
    'Número máximo de conexões atingido: {limit}',
    'Maximum number of connections reached: {limit}',
    'Número máximo de conexiones alcanzado: {limit}',
    'En fazla bağlantı sayısına ulaşıldı: {limit}',
  ],
  ERR_PLAN_QUEUES: [
    'Número máximo de filas atingido: {limit}',
    'Maximum number of queues reached: {limit}',
    'Número máximo de colas alcanzado: {limit}',
    'En fazla kuyruk sayısına ulaşıldı: {limit}',
  ],
} as const satisfies ErrorTexts
