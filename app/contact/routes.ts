import { type Kysely, sql, type Updateable } from 'kysely'
import { Check } from 'typebox/value'
import type { Viewer } from '#domain/access.ts'
import { ContactEdit, type ContactRow, type contacts } from '#domain/contact/contract.ts'
import { maskMessage } from '#domain/contact/mask.ts'
import { completeNumber, isValidEntry } from '#domain/contact/phone.ts'
import { numberKey, phoneNetwork } from '#domain/contact/rules.ts'
import { contactFieldsIn, type ExtraField, fieldNamed, isFieldValue } from '#domain/contact-field/rules.ts'
import { importedContact } from '#domain/contact-import/rules.ts'
import { ids } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { singleSpaced } from '#domain/text/rules.ts'
import { overviewOf, shownId } from '#projections/contact/person.ts'
import { pictureAt } from '#projections/contact/picture.ts'
import { contactNames, contactsById, duplicatesOf, listContacts, maskContactFor } from '#projections/contact/read.ts'
import { similarTo } from '#projections/contact/similar.ts'
import type { ContactTable } from '#projections/contact/tables.ts'
import type { Database } from '#projections/database.ts'
import { filesOfPerson } from '#projections/message/files.ts'
import { audited } from '../audit/record.ts'
import { saveContact } from '../contact-import/save-contact.ts'
import type { AppContext } from '../context.ts'
import { storeCommandId } from '../http/idempotency.ts'
import type { Command, Handlers } from '../http/serve.ts'
import { settingsOf } from '../setting/read.ts'
import { exportRoutes } from './export.ts'
import { keepFormerNumber } from './former-number.ts'
import { contactList, labelsOf } from './labels.ts'
import { mergeContacts, separateContacts } from './merge.ts'
import { createNumberCheck } from './number-check.ts'
import { countNumber } from './number-questions.ts'
import { removeContact } from './remove.ts'

const columnsKept = ['id', 'name', 'number', 'email', 'extraInfo', 'active', 'disableBot', 'acceptAudioMessage', 'version'] as const

type Act = { viewer: Viewer; command: Command }
type Switches = { disableBot?: boolean; acceptAudioMessage?: boolean }
type Body = { name?: string; number: string; email?: string; extraInfo?: { name: string; value: string }[] } & Switches

type Deps = Pick<AppContext, 'db' | 'notifications' | 'config' | 'load' | 'caches' | 'media'>
export const contactRoutes = (deps: Deps): Handlers<typeof contacts> => {
  const parts = createParts(deps)
  return {
    ...readRoutes(deps, parts),
    ...exportRoutes(deps),
    ...writeRoutes(deps, parts),
    ...tagRoutes(deps, parts),
    ...mergeRoutes(deps, parts),
  }
}

type Parts = ReturnType<typeof createParts>
function createParts(deps: Deps) {
  const { db } = deps
  const numberCheck = createNumberCheck(deps)
  async function whole(viewer: Viewer, id: number): Promise<ContactRow> {
    const [row] = await contactsById(db, viewer.companyId, [id])
    return maskContactFor(viewer, row ?? refuse('ERR_NO_CONTACT_FOUND'))
  }
  function valid(field: 'name' | 'number', text: string): string {
    return Check(ContactEdit.properties[field], text) ? text : refuse('ERR_INVALID_INPUT', { field })
  }
  function named(name: string): string {
    const shown = singleSpaced(name)
    return shown.length < 2 ? refuse('ERR_INVALID_INPUT', { field: 'name', rule: 'minLength' }) : shown
  }
  /** The entered fields as columns; missing fields stay unchanged. */
  function columns({ name, email, extraInfo, disableBot, acceptAudioMessage }: Omit<Body, 'number'>) {
    return {
      ...(name !== undefined && { name: named(name), nameless: false }),
      ...(email !== undefined && { email }),
      ...(disableBot !== undefined && { disableBot }),
      ...(acceptAudioMessage !== undefined && { acceptAudioMessage }),
      ...(extraInfo !== undefined && { extraInfo: JSON.stringify(extraInfo.map((info, i) => ({ id: i + 1, ...info }))) }),
    }
  }
  /** Refuses a value that does not fit the type of its field. A value that is already stored may stay. */
  async function refuseValues({ companyId }: Viewer, { extraInfo = [] }: Pick<Body, 'extraInfo'>, stored: readonly ExtraField[] = []) {
    const fields = contactFieldsIn((await settingsOf(db, companyId)).contactFields)
    const wrong = extraInfo.find(({ name, value }) => {
      const field = fieldNamed(fields, name)
      return field && !isFieldValue(field, value) && !stored.some((own) => own.name === name && own.value === value)
    })
    if (wrong) refuse('ERR_CONTACT_FIELD', { field: wrong.name })
  }
  /** Completes an entered number with the company's country (A-PHONE-02). */
  async function numbered({ companyId }: Viewer, typed: string) {
    const number = completeNumber(typed, (await settingsOf(db, companyId)).phoneCountry)
    return number.length < 8
      ? refuse('ERR_WAPP_INVALID_CONTACT')
      : { number, numberKey: numberKey(number), validNumber: isValidEntry(typed, number) }
  }
  /** As `numbered`, for the number of a new contact, or of contact `id`: refused if the network does not know it. */
  async function newNumber(viewer: Viewer, typed: string, id: number | null = null) {
    const found = await numbered(viewer, typed)
    const { companyId } = viewer
    const known = db.selectFrom('contact').select('id').where('companyId', '=', companyId).where('numberKey', '=', found.numberKey)
    const mine = await known.where('channel', '=', phoneNetwork).where('deletedAt', 'is', null).executeTakeFirst()
    if (mine && mine.id !== id) refuse('ERR_DUPLICATED_CONTACT') // before a connection is asked
    if (!mine && found.validNumber) await numberCheck.refuseUnknown(companyId, found.number)
    return found
  }
  const once = async <T>(act: Promise<T>): Promise<T> => {
    try {
      return await act
    } catch (error) {
      if ((error as { code?: string }).code === '23505') refuse('ERR_DUPLICATED_CONTACT')
      throw error
    }
  }

  return { whole, valid, named, columns, refuseValues, numbered, newNumber, numberCheck, once }
}

function readRoutes({ db }: Deps, { whole, numbered, numberCheck }: Parts) {
  return {
    async list({ viewer, query: { contactTag, ...query }, wire }) {
      countNumber(viewer, query.searchParam, wire)
      return listContacts(db, viewer, { ...query, tagIds: ids(contactTag) })
    },
    async profile({ viewer, params: { number: asked }, wire }) {
      const { number, numberKey: key } = await numbered(viewer, asked)
      countNumber(viewer, number, wire)
      const exists = await numberCheck.isOnNetwork(viewer.companyId, number, wire)
      const known = db.selectFrom('contact').select('urlPicture').where('companyId', '=', viewer.companyId).where('numberKey', '=', key)
      const row = await known.where('channel', '=', phoneNetwork).where('deletedAt', 'is', null).executeTakeFirst()
      return { number, exists, urlPicture: pictureAt(db, viewer.companyId, row?.urlPicture ?? null) }
    },
    names: ({ viewer, query: { name = '' }, wire }) => {
      countNumber(viewer, name, wire)
      return contactNames(db, viewer, name.trim())
    },
    /** A merged contact is shown as its target. */
    find: async ({ viewer, params }) => whole(viewer, await shownId(db, viewer.companyId, params.id)),
    async duplicates({ viewer, params: { id } }) {
      await whole(viewer, id)
      const rows = await contactsById(db, viewer.companyId, await duplicatesOf(db, viewer.companyId, id))
      return rows.map((row) => maskContactFor(viewer, row))
    },
  } satisfies Partial<Handlers<typeof contacts>>
}

/** What a contact that a user creates does not have yet. */
const unset = { channel: phoneNetwork, lgpdAcceptedAt: null, urlPicture: null, whatsappId: null, deletedAt: null }

function writeRoutes(deps: Deps, { whole, valid, named, columns, refuseValues, newNumber, numberCheck, once }: Parts) {
  const { db } = deps
  /** `changing`: computes the change from the current row. */
  async function edited(
    act: Act,
    id: number,
    changing: (before: Required<Switches>) => Updateable<ContactTable>,
    version?: number,
  ): Promise<ContactRow> {
    const { companyId } = act.viewer
    const edit = async (on: Kysely<Database>) => {
      const mine = on.selectFrom('contact').select(columnsKept).where('id', '=', id).where('companyId', '=', companyId)
      const before = (await mine.where('deletedAt', 'is', null).forUpdate().executeTakeFirst()) ?? refuse('ERR_NO_CONTACT_FOUND')
      if (version !== undefined && version !== before.version) refuse('ERR_ROW_CHANGED', { version: before.version })
      const change = changing(before)
      if (change.number !== undefined) await keepFormerNumber(on, { ...before, companyId }, change.number)
      const row = on.updateTable('contact').set({ ...change, version: before.version + 1, updatedAt: sql`app_now()` })
      return { before, after: await row.where('id', '=', id).returning(columnsKept).executeTakeFirstOrThrow() }
    }
    await once(audited(db, contactList, act, edit))
    return whole(act.viewer, id)
  }

  return {
    async create({ viewer, command, body, wire }) {
      countNumber(viewer, body.number, wire) // a duplicate refusal also reveals that the number exists
      await refuseValues(viewer, body)
      const { companyId } = viewer
      const row = {
        extraInfo: '[]',
        ...columns(body),
        name: named(body.name),
        ...(await newNumber(viewer, body.number)),
        ...{ ...unset, companyId },
      }
      const added = (on: Kysely<Database>) => on.insertInto('contact').values(row).returning(columnsKept).executeTakeFirstOrThrow()
      const add = async (on: Kysely<Database>) => ({ before: null, after: await added(on) })
      const { id } = await once(audited(db, contactList, { viewer, command }, add))
      return whole(viewer, id)
    },

    /**
     * A masked viewer cannot change a number, and cannot save the placeholder of a number as a name
     * (A-LGPD-04).
     */
    async update({ viewer, command, params, body: { number, version, ...body } }) {
      const visible = await whole(viewer, params.id)
      await refuseValues(viewer, body, visible.extraInfo)
      const { name, ...rest } = body
      const change = {
        ...columns(rest),
        ...(name !== undefined && name !== visible.name && { name: named(valid('name', name)), nameless: false }),
        ...(number !== undefined &&
          number !== visible.number &&
          !viewer.masked &&
          (await newNumber(viewer, valid('number', number), params.id))),
      }
      return edited({ viewer, command }, params.id, () => change, version)
    },
    async importOne({ viewer, command, body, wire }) {
      countNumber(viewer, body.number, wire)
      const { companyId } = viewer
      const { email = '', tags = '', validateContact, ...typed } = body
      const row = importedContact({ ...typed, email, tags, extra: [] }, (await settingsOf(db, companyId)).phoneCountry)
      if (validateContact === 'true') await numberCheck.refuseUnknown(companyId, row.number)
      const { id } = await db.transaction().execute(async (on) => {
        const saved = await saveContact(on, viewer, row)
        await storeCommandId(on, viewer, command, saved.id)
        return saved
      })
      return whole(viewer, id)
    },
    toggleAcceptAudio: ({ params: { id }, ...ask }) => edited(ask, id, ({ acceptAudioMessage: on }) => ({ acceptAudioMessage: !on })),
    remove: ({ viewer, command, params: { id } }) => removeContact(deps, viewer, command, id),
    block: ({ params: { id }, body: { active }, ...ask }) => edited(ask, id, () => ({ active })),
    toggleDisableBot: ({ params: { contactId }, ...ask }) => edited(ask, contactId, ({ disableBot: on }) => ({ disableBot: !on })),
  } satisfies Partial<Handlers<typeof contacts>>
}

function mergeRoutes(deps: Deps, { whole }: Parts) {
  return {
    async merge({ viewer, command, params: { id }, body: { targetId, fields } }) {
      await mergeContacts(deps, { viewer, command }, id, targetId, fields)
      return whole(viewer, targetId)
    },
    async separate({ viewer, command, params: { id } }) {
      await separateContacts(deps, { viewer, command }, id)
      return whole(viewer, id)
    },
    async similar({ viewer, params: { id } }) {
      const proposed = await similarTo(deps.db, viewer, (await whole(viewer, id)).id)
      const ids = proposed.map((one) => one.id)
      const rows = new Map((await contactsById(deps.db, viewer.companyId, ids)).map((row) => [row.id, maskContactFor(viewer, row)]))
      return proposed.flatMap(({ id, why }) => (rows.has(id) ? [{ contact: rows.get(id)!, why }] : []))
    },
    async files({ viewer, params: { id }, query: { cursor } }) {
      const contactId = (await whole(viewer, id)).id
      const { files, ...page } = await filesOfPerson(deps.db, viewer, { contactId, cursor }, deps.media.url)
      return { files: viewer.masked ? files.map(maskMessage) : files, ...page }
    },
    async overview({ viewer, params: { id } }) {
      return overviewOf(deps.db, viewer, (await whole(viewer, id)).id)
    },
  } satisfies Partial<Handlers<typeof contacts>>
}

function tagRoutes({ db }: Deps, { whole }: Parts) {
  /** Changes labels only; lanes change elsewhere (A-LANE-02). */
  async function tagged(act: Act, contactId: number, added: number[], taken: number[] | 'others'): Promise<ContactRow> {
    const { viewer } = act
    await whole(viewer, contactId)
    await audited(db, contactList, act, async (tx) => {
      const labels = tx.selectFrom('tag').where('companyId', '=', viewer.companyId).where('kanban', '=', 0)
      /**
       * Locks the labels in order, because each addition updates the counter in its tag's row. Concurrent
       * calls would otherwise deadlock.
       */
      await labels.select('id').orderBy('id').forNoKeyUpdate().execute()
      const before = await labelsOf(tx, contactId)
      const going = labels.select('id').$if(taken !== 'others', (q) => q.where(sql<boolean>`id = any(${taken})`))
      await tx.deleteFrom('contactTag').where('contactId', '=', contactId).where('tagId', 'in', going).execute()
      const chosen = labels.select(['companyId', sql<number>`${contactId}::int`.as('contactId'), 'id']).where('id', 'in', [0, ...added])
      await tx
        .insertInto('contactTag')
        .columns(['companyId', 'contactId', 'tagId'])
        .expression(chosen)
        .onConflict((again) => again.doNothing())
        .execute()
      return { before, after: await labelsOf(tx, contactId) }
    })
    return whole(viewer, contactId)
  }
  return {
    tags: async ({ viewer, params }) => ({ tags: (await whole(viewer, params.contactId)).tags }),

    syncTags: ({ body: { contactId, tags }, ...ask }) =>
      tagged(
        ask,
        contactId,
        tags.map(({ id }) => id),
        'others',
      ),
    changeTags: ({ params, body: { added, taken }, ...ask }) => tagged(ask, params.id, added, taken),
  } satisfies Partial<Handlers<typeof contacts>>
}
