import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { type Scene, scene, tick } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('a user stays signed in on two devices and ends the other session (A-AUTH-04, A-AUTH-14)', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/settings' })
  const option = admin.page.locator('[data-setting=severalDevices]')
  await tick(option.getByRole('checkbox'))
  await expect.poll(async () => (await on.ask('GET', '/setting/severalDevices')).body.value).toBe('enabled')

  const desk = await on.enter('ana@demo.test')
  const phone = await on.enter('ana@demo.test', { width: 390, theme: 'dark' })
  await phone.page.getByRole('tab', { name: /Atendendo/ }).waitFor()
  await desk.page.getByRole('button', { name: /^Sua conta.*Ana/ }).click()
  await desk.page.getByRole('menuitem', { name: 'Seus acessos' }).click()
  const dialog = desk.page.getByRole('dialog', { name: 'Seus acessos' })
  await dialog.getByText('Você pode ficar conectado em vários aparelhos', { exact: false }).waitFor()
  await dialog.getByText('aberta').waitFor()
  await desk.shot('devices')
  expect(await faultsOf(desk.page, 'own sign-ins')).toEqual([])
  await dialog.getByRole('button', { name: 'Encerrar a outra sessão' }).click()
  await desk.page.getByText('As outras sessões foram encerradas').waitFor()
  await phone.page.waitForURL(/\/login\?to=/)
  await dialog.getByText('esta sessão').waitFor()
  await dialog.getByRole('button', { name: 'Encerrar a outra sessão' }).waitFor({ state: 'detached' })
  expect([...desk.wrong, ...admin.wrong]).toEqual([])
  await phone.leave()
  await desk.leave()
  await admin.leave()
})

it('switching the setting off asks first, and signs out all but the newest device (A-AUTH-14)', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/settings' })
  const older = await on.enter('bruno@demo.test')
  const newer = await on.enter('bruno@demo.test')
  await older.page.getByRole('tab', { name: /Atendendo/ }).waitFor()
  await tick(admin.page.locator('[data-setting=severalDevices]').getByRole('checkbox'))
  const question = admin.page.getByRole('alertdialog', { name: 'Vários aparelhos por pessoa' })
  await question.getByText('Cada pessoa continua conectada só onde entrou por último', { exact: false }).waitFor()
  await admin.shot('one-device')
  await question.getByRole('button', { name: 'Mudar' }).click()
  await older.page.waitForURL(/\/login\?to=/)
  await older.page.getByText('Sua conta foi acessada em outro lugar', { exact: false }).waitFor()
  await newer.page.getByRole('tab', { name: /Atendendo/ }).waitFor()
  expect([...newer.wrong, ...admin.wrong]).toEqual([])
  for (const one of [admin, older, newer]) await one.leave()
})
