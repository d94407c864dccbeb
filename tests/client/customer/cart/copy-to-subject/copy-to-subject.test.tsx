import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { useSubjectNumbers } from '#client/customer/cart/cart-screen.tsx'
import { CopyToSubject } from '#client/customer/cart/copy-to-subject/copy-to-subject.tsx'
import { CopyToSubjectDialog, copyPackagesUrl } from '#client/customer/cart/copy-to-subject/copy-to-subject-dialog.tsx'
import {
  knownListedSubjectIds,
  useKnownSubjectIds,
} from '#client/customer/cart/copy-to-subject/use-known-subject-ids.ts'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { addTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { saveConfirmedSubject } from '#local/session.ts'
import type { LineView } from '#local/store/cart-view.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { saveDraft } from '#local/store/device-entries.ts'
import { database, stamp } from '#platform/database.ts'
import { cleanUp, countElements, getElement, render, waitForPage } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { lineOf, packageOf } from '#tests/domain/cart/cart-fixtures.ts'

const route = { studioSlug: 'riverside', jobId: 1 }
const createView = (line: LineView['line'], number: number): LineView => ({ line, number, totalCents: 0 })
const standard = createView(lineOf(packageOf()), 3)

test('a copy’s URL contains each package once, with the lines to copy', () => {
  const keychain = createView({ ...standard.line, packageId: 7 }, 5)
  const sameKeychain = { ...keychain, number: 6 }
  expect(copyPackagesUrl({ ...route, subjectId: 8 }, [standard, keychain, sameKeychain])).toBe(
    '/riverside/1/subject/8/package-options/100,7?like=3%2C5',
  )
})

const typedView = createView({ ...standard.line, subjectId: null, personId: 'juno' }, 3)

test.each([
  ['shown if another subject is known', { view: standard, subjectNumber: 7, knownSubjectIds: [7, 8] }, 1],
  ['hidden if no other subject is known', { view: standard, subjectNumber: 7, knownSubjectIds: [7] }, 0],
  ['shown if another subject was typed', { view: standard, subjectNumber: 7, knownSubjectIds: [7, -1] }, 1],
  [
    'shown if this and another subject were typed',
    { view: typedView, subjectNumber: -1, knownSubjectIds: [-1, -2] },
    1,
  ],
  ['hidden if only this subject was typed', { view: typedView, subjectNumber: -1, knownSubjectIds: [-1] }, 0],
])('the button that copies a package is %s', (_, props, buttonCount) => {
  render(<CopyToSubject {...props} route={route} addOns={[]} />)
  expect(countElements('button')).toBe(buttonCount)
})

const prepayKey = { jobId: 1, orderMethod: 'prepay' } as const

const addTypedSubjectNamed = async (firstName: string) => {
  const person = { firstName, lastName: 'Marlow', dataFields: [] }
  const result = await addTypedSubject(database, stamp, { ...prepayKey, typed: person })
  if (!result.ok) throw new Error(result.message)
  return result.number
}

const renderedNumbers: (number | null)[] = []
const SubjectNumber = ({ personId }: { personId: string | null }) => {
  renderedNumbers.push(
    useSubjectNumbers(1)({ subjectId: 40, personId, firstName: 'Juno', lastName: 'Marlow', imageThumbnailUrl: null }),
  )
  return <output>{renderedNumbers.at(-1)}</output>
}

test('a typed subject has no URL id until its number on the device is read, while a studio’s subject has its id at once', async () => {
  await database.delete()
  await database.open()
  const number = await addTypedSubjectNamed('Juno')
  const [person] = await database.people.toArray()
  render(<SubjectNumber personId={person?.personId ?? ''} />)
  await waitForPage(() => expect(getElement('output').textContent).toBe(String(number)))
  expect(renderedNumbers).not.toContain(40)
  cleanUp()
  render(<SubjectNumber personId={null} />)
  expect(renderedNumbers.at(-1)).toBe(40)
})

const KnownIds = ({ orderMethod }: { orderMethod: 'prepay' | 'gallery' }) => (
  <output>{useKnownSubjectIds({ jobId: 1, orderMethod }, []).join()}</output>
)

test('typed subjects are offered by name with a link to the copy, except in a gallery', async () => {
  await database.delete()
  await database.open()
  const [juno, pip] = [await addTypedSubjectNamed('Juno'), await addTypedSubjectNamed('Pip')]
  render(
    <JobContext value={springJobContext({ orderMethod: 'prepay' })}>
      <CopyToSubjectDialog
        open
        onClose={() => undefined}
        {...{ route }}
        lineView={typedView}
        addOns={[]}
        otherSubjectIds={[pip]}
      />
    </JobContext>,
  )
  await waitForPage(() => expect(getElement('a').textContent).toContain('Pip Marlow'))
  expect(getElement('a').getAttribute('href')).toBe(`/riverside/1/subject/${pip}/package-options/100?like=3`)
  expect(document.body.textContent).toContain('with their own names.')
  render(<KnownIds orderMethod="prepay" />)
  await waitForPage(() => expect(getElement('output').textContent).toBe(`${juno},${pip}`))
  cleanUp()
  await saveConfirmedSubject(database, { jobId: 1, subjectId: 7 })
  render(<KnownIds orderMethod="gallery" />)
  await waitForPage(() => expect(getElement('output').textContent).toBe('7'))
})

test('the dialog reports that no other subject can be shown', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
  const createDialog = (otherSubjectIds: readonly number[]) => (
    <JobContext value={springJobContext()}>
      <CopyToSubjectDialog
        open
        onClose={() => undefined}
        {...{ route, otherSubjectIds }}
        lineView={standard}
        addOns={[]}
      />
    </JobContext>
  )
  const noSubjectsMessage = 'No other children to show right now'
  const { rerender } = render(createDialog([8, 9]))
  expect(document.body.textContent).not.toContain(noSubjectsMessage)
  await waitForPage(() => expect(document.body.textContent).toContain(noSubjectsMessage))
  rerender(createDialog([-99]))
  await waitForPage(() => expect(document.body.textContent).toContain(noSubjectsMessage))
  vi.unstubAllGlobals()
})

const db = openLocalDatabase('known')
beforeEach(async () => {
  await db.delete()
  await db.open()
})

test('known subjects of a job are those confirmed on this device or with a selection in progress', async () => {
  await saveConfirmedSubject(db, { jobId: 1, subjectId: 7 })
  await saveConfirmedSubject(db, { jobId: 2, subjectId: 9 })
  for (const key of ['choosing:1:7', 'choosing:1:8', 'choosing:12:10', 'choosing:1:-4', 'customise:1:11:40'])
    await saveDraft(db, key, {})
  expect(await knownListedSubjectIds(db, 1)).toEqual([7, 8])
})
