import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { runningPostgres } from '#app/embedded/database.ts'
import { ask, cleared, folder, made, start } from '#tests/support/embedded.ts'

afterEach(cleared)

it('the server connects as an ordinary role that owns only its database', async () => {
  const dataDir = folder()
  const { url } = await start(dataDir)
  expect(await ask(url, 'select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user')).toEqual([
    { rolsuper: false, rolcreatedb: false, rolcreaterole: false },
  ])
  await expect(ask(url, `copy (select 1) to program 'true'`)).rejects.toMatchObject({ code: '42501' })
  expect(await ask(url, `select extname from pg_extension where extname <> 'plpgsql' order by 1`)).toEqual([
    { extname: 'pg_trgm' },
    { extname: 'unaccent' },
  ])
})

it('a folder of its own becomes private, and a folder with other files stays as it is', async () => {
  const modeOf = (place: string) => (statSync(place).mode & 0o777).toString(8)
  const fresh = path.join(folder(), 'below', 'data')
  await (await start(fresh)).stop()
  const narrow = process.getuid?.() === 0 ? '710' : '700'
  expect(modeOf(fresh)).toBe(narrow)
  chmodSync(fresh, 0o755)
  await (await start(fresh)).stop()
  expect(modeOf(fresh)).toBe(narrow)
  chmodSync(fresh, 0o755)
  writeFileSync(path.join(fresh, 'index.html'), '')
  await (await start(fresh)).stop()
  expect(modeOf(fresh)).toBe('755')
})

// only root runs Postgres under another account
if (process.getuid?.() === 0) {
  const shutFolder = () => {
    const dataDir = path.join(folder(), 'shut', 'data')
    mkdirSync(path.dirname(dataDir), { mode: 0o700 })
    return dataDir
  }
  const placeOf = (said: string[]) => {
    const place = said.map((line) => /the database is kept in (\/var\/lib\/guiche-\w+)$/.exec(line)?.[1]).find(Boolean)
    made.push(place!)
    return place!
  }

  it('an unreachable folder makes the data go to a lasting place, reported at each start', async () => {
    const dataDir = shutFolder()
    const said: string[] = []
    const first = await start(dataDir, (line) => said.push(line))
    const place = placeOf(said)
    await ask(first.url, 'create table kept as select 5 as n')
    expect(await runningPostgres(dataDir)).toBe(first.url)
    await first.stop()
    expect(readFileSync(path.join(dataDir, 'postgres.place'), 'utf8').trim()).toBe(place)

    chmodSync(path.dirname(dataDir), 0o755)
    const again: string[] = []
    const open = await start(dataDir, (line) => again.push(line))
    expect(await ask(open.url, 'select n from kept')).toEqual([{ n: 5 }])
    expect(again.join()).toContain(place)
    await open.stop()

    const moved = `${dataDir}-moved`
    renameSync(dataDir, moved)
    const elsewhere = await start(moved)
    expect(await ask(elsewhere.url, 'select n from kept')).toEqual([{ n: 5 }])
    await elsewhere.stop()

    rmSync(path.join(place, 'postgres'), { recursive: true })
    await expect(start(moved)).rejects.toThrow(`says that the database is in ${place}, and it is not there`)
  })

  it('the data is found without the note if the first start was killed before writing it', async () => {
    const dataDir = shutFolder()
    const said: string[] = []
    const first = await start(dataDir, (line) => said.push(line))
    placeOf(said)
    await ask(first.url, 'create table kept as select 6 as n')
    await first.stop()
    rmSync(path.join(dataDir, 'postgres.place'))
    chmodSync(path.dirname(dataDir), 0o755)
    expect(await ask((await start(dataDir)).url, 'select n from kept')).toEqual([{ n: 6 }])
  })
}
