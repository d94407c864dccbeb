import { expect, test } from 'vitest'
import { click, getButton, press, render } from '#support/rendering/render.tsx'
import {
  jobResponse,
  linkTargets,
  staffScreenAt,
  stubStaffServer,
  tableCells,
  waitUntil,
} from '#support/rendering/render-staff-screen.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'

const imageOf = (id: number) => ({ id, fileName: `${id}.jpg`, thumbnailUrl: `/t/${id}`, previewUrl: `/p/${id}` })
const ada = {
  ...{ id: 7, firstName: 'Ada', lastName: 'Lovelace', groups: ['Grade 3'], images: [imageOf(31), imageOf(32)] },
  ...{ choice: 'missing', chosenImageId: null as number | null, chosenBy: null as string | null },
}
const bo = { ...ada, id: 8, firstName: 'Bo', images: [imageOf(41), imageOf(42)] }
const counts = { missing: 2, chosen: 5, single: 1, without: 0 }
const yearBook = {
  ...{ isOffered: true, expiresAt: '2027-04-15T21:00:00.000Z', isExpired: false, counts, chosenByStaff: 2 },
  ...{ groups: [{ id: 3, name: 'Grade 3', counts }], customersToRemind: 12 },
}

let features: string[] = ['yearbookPose']
let currentYearBook = yearBook
const choices: unknown[] = []
const requestedUrls = stubStaffServer(
  (path, method) => {
    if (path.endsWith('/yearbook')) return currentYearBook
    if (path.endsWith('/yearbook/subjects'))
      return { resultItems: [ada, bo], currentPage: 1, pageSize: 50, totalRecords: 2 }
    if (path.endsWith('/yearbook/next')) return { subject: bo }
    if (path.endsWith('/yearbook/reminders')) return { sent: 12 }
    if (path.endsWith('/yearbook/subjects/7')) {
      if (method === 'PUT') choices.push(path)
      return choices.length > 0 ? { ...ada, choice: 'chosen', chosenImageId: 32, chosenBy: 'staff' } : ada
    }
    if (path.endsWith('/yearbook/subjects/8')) return bo
    return path.endsWith('/jobs/12') ? jobResponse : undefined
  },
  () => features,
)
const screenUrl = '/admin/studios/3/jobs/12/images/yearbook'

test('the list shows the deadline in the studio’s time zone, the counts, and each choice', async () => {
  render(staffScreenAt(screenUrl))
  await waitUntil(() => expect(tableCells()).toHaveLength(2))
  const text = document.querySelector('main')?.textContent ?? ''
  expect(text).toContain('Parents can choose until Apr 15, 5:00 PM.')
  expect(text).toContain('5 chosen, 2 by staff · 2 missing · 1 with one image')
  expect(text).not.toContain('without images')
  expect(tableCells()[0]).toEqual(['Ada Lovelace', 'Grade 3', '', 'Missing'])
})

test.each([
  [{ isExpired: true }, 'Parents could choose until Apr 15, 5:00 PM.'],
  [{ expiresAt: null }, 'Parents choose the yearbook photo, without a deadline.'],
  [{ isOffered: false }, 'Parents aren’t asked to choose the yearbook photo.'],
])('with %o the screen says: %s', async (change, message) => {
  currentYearBook = { ...yearBook, ...(change as object) }
  render(staffScreenAt(screenUrl))
  await waitUntil(() => expect(document.querySelector('main')?.textContent).toContain(message))
  currentYearBook = yearBook
})

test('keys choose an image and move to the next subject whose image is missing', async () => {
  render(staffScreenAt(`${screenUrl}?subject=7`))
  await waitUntil(() => expect(document.querySelectorAll('main ul[aria-label="Images"] > li')).toHaveLength(2))
  expect(document.querySelector('main')?.textContent).toContain('5 of 7 chosen')
  press('2')
  await waitUntil(() => expect(getButton('2 32.jpg').getAttribute('aria-pressed')).toBe('true'))
  expect(choices).toHaveLength(1)
  press('n')
  await waitUntil(() => expect(document.querySelector('main h2')?.textContent).toBe('Bo Lovelace'))
  expect(window.location.search).toBe('?subject=8')
  press('Escape')
  await waitUntil(() => expect(tableCells()).toHaveLength(2))
})

test('reminders are sent only after a confirmation with the number of customers', async () => {
  render(
    <>
      {staffScreenAt(screenUrl)}
      <ConfirmHost />
    </>,
  )
  await waitUntil(() => click(getButton('Remind 12 customers')))
  const sent = () => requestedUrls.filter(({ pathname }) => pathname.endsWith('/yearbook/reminders'))
  await waitUntil(() =>
    expect(document.querySelector('[role="alertdialog"]')?.textContent).toContain('Remind 12 customers?'),
  )
  expect(sent()).toHaveLength(0)
  click(getButton('Send reminders'))
  await waitUntil(() => expect(sent()).toHaveLength(1))
})

test('without the feature the address leads to the images, which have no tab for the yearbook', async () => {
  features = []
  render(staffScreenAt(screenUrl))
  await waitUntil(() => expect(window.location.pathname).toBe('/admin/studios/3/jobs/12/images'))
  render(staffScreenAt('/admin/studios/3/jobs/12/images'))
  await waitUntil(() => expect(linkTargets('Exports')).toHaveLength(1))
  expect(linkTargets('Yearbook')).toEqual([])
  features = ['yearbookPose']
})
