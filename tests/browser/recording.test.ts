import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { holdBack } from '#tests/support/late.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, type Scene, scene } from './scene.ts'

let on: Scene
let ana: Person
const customer = { name: 'Iara Gravada', number: '5511944480101' }
const other = { name: 'Caio Ouvinte', number: '5511944480102' }
let first: { uuid: string }
let second: { uuid: string }
let converter: Awaited<ReturnType<typeof holdBack>>

beforeAll(async () => {
  on = await scene()
  second = await on.says(other, 'Oi')
  first = await on.says(customer, 'Pode falar')
  ana = await on.enter('ana@demo.test', { at: `/tickets/${second.uuid}` })
  await accept(ana.page)
  await ana.page.addInitScript(() => {
    const get = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await get(wanted)
      const unplug = () => {
        for (const track of stream.getTracks()) track.stop()
      }
      addEventListener('unplug', unplug, { once: true })
      return stream
    }
  })
  converter = await holdBack(ana.context, '**/assets/ogg-*.js')
  await ana.page.goto(`/tickets/${first.uuid}`)
  await accept(ana.page)
})
afterAll(() => on?.clear())

const recorder = () => ana.page.getByRole('group', { name: 'Gravando…' })
const waits = () => ana.page.locator('[data-part=files] li')
async function record(): Promise<void> {
  await ana.page.getByRole('button', { name: 'Gravar áudio' }).click()
  await recorder().getByRole('timer').getByText('0:02').waitFor()
}
async function drop(): Promise<void> {
  await waits().getByText(/^voz-/).waitFor()
  await waits().getByRole('button').first().click()
  await waits().waitFor({ state: 'detached' })
}

it('a recording is sent in the ticket of the key press, however late it is converted', async () => {
  converter.set(3000)
  await record()
  await ana.page.getByRole('button', { name: 'Enviar áudio' }).click()
  await ana.page.getByRole('link', { name: other.name }).first().click()
  await ana.page.waitForURL(new RegExp(second.uuid))
  const got = await eventually(
    () => on.got(customer.number),
    (all) => all.length === 1,
  )
  converter.set(0)
  expect([got[0]!.mime, await on.got(other.number), await waits().count()]).toEqual(['audio/ogg', [], 0])
  await ana.page.getByRole('link', { name: customer.name }).first().click()
  await ana.page.waitForURL(new RegExp(first.uuid))
})

it('a recording continues as the window narrows, and survives a lost microphone', async () => {
  await record()
  await ana.page.setViewportSize({ width: 768, height: 900 })
  await recorder().getByRole('timer').getByText('0:03').waitFor()
  await ana.shot('recording-narrow')
  await ana.page.evaluate(() => dispatchEvent(new Event('unplug')))
  await ana.page.getByText('O microfone parou.').waitFor()
  await recorder().waitFor({ state: 'detached' })
  await ana.page.setViewportSize({ width: 1440, height: 900 })
  await drop()
})

it('an interrupted recording is among the attachments after a reload', async () => {
  await record()
  await ana.page.reload()
  await ana.page.getByText('Uma gravação foi interrompida.').waitFor()
  await expect
    .poll(() =>
      waits()
        .locator('audio')
        .evaluate((one) => (one as HTMLAudioElement).readyState),
    )
    .toBeGreaterThan(0)
  await ana.shot('recording-found')
  await drop()
  expect([await on.got(other.number), ana.wrong]).toEqual([[], []])
})
