import { describe, expect, it } from 'vitest'
import { fileName } from '#app/storage/file-name.ts'

describe('a file name (F7)', () => {
  it.each([
    ['boleto.pdf', 'application/pdf', 'boleto.pdf'],
    ['BOLETO.PDF', 'application/pdf', 'BOLETO.PDF'],
    ['boleto.pdf.hta', 'application/pdf', 'boleto.pdf'],
    ['boleto.hta', 'application/pdf', 'boleto.pdf'],
    ['foto.exe', 'image/jpeg', 'foto.jpg'],
    ['foto.jpeg', 'image/jpeg', 'foto.jpeg'],
    ['Relatório 1.2', 'application/pdf', 'Relatório 1.2.pdf'],
    ['fatura\u202Efdp.exe', 'application/pdf', 'faturafdp.pdf'],
    ['a\u0000b\u0007c\u200b.png', 'image/png', 'abc.png'],
    ['../../etc/cron.d/x.png', 'image/png', 'x.png'],
    ['D:\\Fotos\\foto.png', 'image/png', 'foto.png'],
    ['instalar.msi', 'application/x-cfb', 'instalar.doc'],
    ['planilha.xls', 'application/x-cfb', 'planilha.xls'],
    ['app.jar', 'application/zip', 'app.zip'],
    ['nota', 'text/plain', 'nota.txt'],
    ['.png', 'image/png', 'png.png'],
    ['...', 'image/gif', 'file.gif'],
    ['a.png. . ', 'image/png', 'a.png'],
    ['con"<>|?.pdf', 'application/pdf', 'con"<>|?.pdf'],
    ['extrato.ofx', 'text/plain', 'extrato.ofx'],
    ['x.ts', 'video/mp2t', 'x.ts'],
    ['app.exe', 'application/x-msdownload', 'app.exe'],
    ['LEIAME', 'application/octet-stream', 'LEIAME'],
    ['👨‍👩‍👧.pdf', 'application/pdf', '👨‍👩‍👧.pdf'],
    ['\ud800.pdf', 'application/pdf', '\ufffd.pdf'],
    ['voz.ogg', 'audio/ogg', 'voz.ogg'],
    ['x', 'application/vnd.something.else', 'x.bin'],
  ])('%j of type %s becomes %j', (given, mime, expected) => expect(fileName(given, mime)).toBe(expected))
  it('keeps its beginning and extension at any length', () => {
    expect(fileName(`foto${'.'.repeat(160_000)}pdf`, 'application/pdf')).toMatch(/^foto\.+\.pdf$/)
    expect(fileName(`${'. '.repeat(80_000)}`, 'application/pdf')).toBe('file.pdf')
  })
  it('is cut to the file system’s limit and keeps its extension', () => {
    expect(fileName(`${'ç'.repeat(300)}.pdf`, 'application/pdf')).toBe(`${'ç'.repeat(100)}.pdf`)
  })
})
