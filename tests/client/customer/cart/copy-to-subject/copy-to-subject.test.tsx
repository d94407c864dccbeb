import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { copyPackagesUrl } from '#client/customer/cart/copy-to-subject/copy-packages-url.ts'
import { CopyToSubject } from '#client/customer/cart/copy-to-subject/copy-to-subject.tsx'
import { CopyToSubjectDialog } from '#client/customer/cart/copy-to-subject/copy-to-subject-dialog.tsx'
import { useKnownSubjectIds } from '#client/customer/cart/copy-to-subject/use-known-subject-ids.ts'
import { useSubjectNumbers } from '#client/customer/cart/copy-to-subject/use-subject-numbers.ts'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { addTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { saveConfirmedSubject } from '#local/session.ts'
import type { LineView } from '#local/store/cart-view.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { saveDraft } from '#local/store/drafts.ts'
import { knownSubjects } from '#local/store/known-subjects.ts'
import { database, stamp } from '#platform/database.ts'
import { cleanUp, countElements, getElement, render, waitForPage } from '#support/rendering/render.tsx'
import { lineOf, packageOf } from '../../../../domain/cart/cart-fixtures.ts'
import { springJobContext } from '../../../job-context-examples.ts'

const route = { studioSlug: 'riverside', jobId: 1 }
const viewOf = (line: LineView['line'], number: number): LineView => ({ line, number, totalCents: 0 })
const standard = viewOf(lineOf(packageOf()), 3)

test('a copy’s URL contains each package once, with the lines to copy', () => {
  const keychain = viewOf({ ...standard.line, packageId: 7 }, 5)
  const again = { ...keychain, number: 6 }
  expect(copyPackagesUrl({ ...route, subjectId: 8 }, [standard, keychain, again])).toBe(
    '/riverside/1/subject/8/package-options/100,7?like=3%2C5',
  )
})

const typed = viewOf({ ...standard.line, subjectId: null, personId: 'juno' }, 3)

test.each([
  ['another subject is known', { view: standard, subjectNumber: 7, known: [7, 8] }, 1],
  ['no other subject is known', { view: standard, subjectNumber: 7, known: [7] }, 0],
  ['another subject was typed in', { view: standard, subjectNumber: 7, known: [7, -1] }, 1],
  ['this and another subject were typed in', { view: typed, subjectNumber: -1, known: [-1, -2] }, 1],
  ['only this subject was typed in', { view: typed, subjectNumber: -1, known: [-1] }, 0],
])('if %s, a link to copy the package is shown or hidden', (_, given, buttons) => {
  render(<CopyToSubject {...given} route={route} addOns={[]} />)
  expect(countElements('button')).toBe(buttons)
})

const prepay = { jobId: 1, orderMethod: 'prepay' } as const

const typeIn = async (firstName: string) => {
  const person = { firstName, lastName: 'Marlow', dataFields: [] }
  const result = await addTypedSubject(database, stamp, { ...prepay, typed: person })
  if (!result.ok) throw new Error(result.message)
  return result.number
}

const drawn: (number | null)[] = []
const Numbered = ({ personId }: { personId: string | null }) => {
  drawn.push(
    useSubjectNumbers(1)({ subjectId: 40, personId, firstName: 'Juno', lastName: 'Marlow', imageThumbnailUrl: null }),
  )
  return <output>{drawn.at(-1)}</output>
}

test('a typed-in subject has no URL id until the device’s own id is read, while the studio’s subjects have theirs at once', async () => {
  await database.delete()
  await database.open()
  const number = await typeIn('Juno')
  const [person] = await database.people.toArray()
  render(<Numbered personId={person?.personId ?? ''} />)
  await waitForPage(() => expect(getElement('output').textContent).toBe(String(number)))
  expect(drawn).not.toContain(40)
  cleanUp()
  render(<Numbered personId={null} />)
  expect(drawn.at(-1)).toBe(40)
})

const Known = ({ orderMethod }: { orderMethod: 'prepay' | 'gallery' }) => (
  <output>{useKnownSubjectIds({ jobId: 1, orderMethod }, []).join()}</output>
)

test('typed-in subjects are offered by name with a link to the copy, except in a gallery', async () => {
  await database.delete()
  await database.open()
  const [juno, pip] = [await typeIn('Juno'), await typeIn('Pip')]
  render(
    <JobContext value={springJobContext({ orderMethod: 'prepay' })}>
      <CopyToSubjectDialog open onClose={() => undefined} {...{ route }} view={typed} addOns={[]} others={[pip]} />
    </JobContext>,
  )
  await waitForPage(() => expect(getElement('a').textContent).toContain('Pip Marlow'))
  expect(getElement('a').getAttribute('href')).toBe(`/riverside/1/subject/${pip}/package-options/100?like=3`)
  expect(document.body.textContent).toContain('with their own names.')
  render(<Known orderMethod="prepay" />)
  await waitForPage(() => expect(getElement('output').textContent).toBe(`${juno},${pip}`))
  cleanUp()
  await saveConfirmedSubject(database, { jobId: 1, subjectId: 7 })
  render(<Known orderMethod="gallery" />)
  await waitForPage(() => expect(getElement('output').textContent).toBe('7'))
})

test('if no other subject can be shown, the dialog says so', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
  const dialog = (others: readonly number[]) => (
    <JobContext value={springJobContext()}>
      <CopyToSubjectDialog open onClose={() => undefined} {...{ route, others }} view={standard} addOns={[]} />
    </JobContext>
  )
  const nobody = 'Nobody else can be shown right now'
  const { again } = render(dialog([8, 9]))
  expect(document.body.textContent).not.toContain(nobody)
  await waitForPage(() => expect(document.body.textContent).toContain(nobody))
  again(dialog([-99]))
  await waitForPage(() => expect(document.body.textContent).toContain(nobody))
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
  expect(await knownSubjects(db, 1)).toEqual([7, 8])
})
