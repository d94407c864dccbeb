import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { copyAddress } from '../../../src/client/customer/cart/copy-address.ts'
import { SameFor } from '../../../src/client/customer/cart/same-for.tsx'
import type { LineView } from '../../../src/local/cart-view.ts'
import { openLocal } from '../../../src/local/database.ts'
import { saveDraft } from '../../../src/local/drafts.ts'
import { knownSubjects } from '../../../src/local/known-subjects.ts'
import { rememberSubject } from '../../../src/local/visits.ts'
import { lineOf, packageOf } from '../../domain/examples.ts'
import { count, render } from '../../support/render.tsx'

const place = { studioSlug: 'riverside', jobId: 1 }
const viewOf = (line: LineView['line'], number: number): LineView => ({ line, number, totalCents: 0, state: 'sent' })
const standard = viewOf(lineOf(packageOf()), 3)

test('a copy’s address names the packages, and the lines they begin as, each package once', () => {
  const keychain = viewOf({ ...standard.line, packageId: 7 }, 5)
  const again = { ...keychain, number: 6 }
  expect(copyAddress({ ...place, subjectId: 8 }, [standard, keychain, again])).toBe(
    '/riverside/1/subject/8/package-options/100,7?like=3%2C5',
  )
})

test.each([
  ['somebody else is known', { view: standard, known: [7, 8] }, 1],
  ['nobody else is', { view: standard, known: [7] }, 0],
  ['the person was typed in', { view: viewOf({ ...standard.line, personId: 'p' }, 3), known: [8] }, 0],
])('where %s there is a way to copy a package or none', (_, given, buttons) => {
  render(<SameFor {...given} place={place} own={[given.view]} />)
  expect(count('button')).toBe(buttons)
})

const db = openLocal('known')
beforeEach(async () => {
  await db.delete()
  await db.open()
})

test('people are known once confirmed here, or begun to be chosen for, in this event', async () => {
  await rememberSubject(db, { jobId: 1, subjectId: 7 })
  await rememberSubject(db, { jobId: 2, subjectId: 9 })
  for (const key of ['choosing:1:7', 'choosing:1:8', 'choosing:12:10', 'choosing:1:-4', 'customise:1:11:40'])
    await saveDraft(db, key, {})
  expect(await knownSubjects(db, 1)).toEqual([7, 8])
})
