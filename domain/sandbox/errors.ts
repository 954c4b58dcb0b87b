import type { ErrorTexts } from '#domain/errors.ts'

export const sandboxErrors = {
  ERR_REAL_CONNECTION: [
    'O relógio não pode ser adiantado: há uma conexão que não é de testes.',
    'The clock cannot be moved: there is a connection that is not a test connection.',
    'No se puede adelantar el reloj: hay una conexión que no es de pruebas.',
    'Saat ileri alınamaz: test bağlantısı olmayan bir bağlantı var.',
  ],
} as const satisfies ErrorTexts
