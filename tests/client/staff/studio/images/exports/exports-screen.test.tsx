import { expect, test, vi } from 'vitest'
import { click, fire, getButton, getElement, render } from '#support/rendering/render.tsx'
import { jobResponse, staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const settings = {
  ...{ format: 'pspa', images: 'yearbook-or-main', width: 640, height: 800, quality: 92, usesOrderCrops: true },
  ...{ template: { x: 0.5, y: 0.45, height: 0.8 }, volume: 'LINCOLN', namePattern: '{imageNumber}' },
  fields: { studentId: 'reference', grade: 'field:Grade', homeroom: 'group', period: '', teacher: '', track: '' },
  ...{ extraFields: [], retakesOf: null },
}
const exportOf = (id: number, state: string, change: object = {}) => ({
  ...{ id, format: 'pspa', state, volume: `VOLUME${id}`, filesTotal: 2000, filesDone: 2000, error: null },
  ...{ madeAt: '2027-04-15T14:00:00.000Z', madeBy: 'Sam', expiresAt: '2027-04-22T14:00:00.000Z', ...change },
})
const orderedCrop = { width: 40, height: 40, cropX: 30, cropY: 10, xMid: 50, yMid: 30 }
const preview = {
  images: [
    {
      subjectId: 7,
      name: 'Ada Lovelace',
      fileName: '00000031.jpg',
      previewUrl: '/p/31',
      width: 2000,
      height: 2500,
      ordered: null,
    },
    {
      subjectId: 8,
      name: 'Bo Lovelace',
      fileName: '00000032.jpg',
      previewUrl: '/p/32',
      width: 2000,
      height: 2500,
      ordered: { crop: orderedCrop, rotation: 0 },
    },
  ],
  ...{ fileCount: 1987, withoutImage: 3, withoutId: 0 },
}

let exports: object[] = []
let previewAnswer: unknown = preview
let startedCount = 0
stubStaffServer((path, method) => {
  if (path.endsWith('/image-exports/setup')) return { fieldNames: ['Grade', 'Bus'], settings }
  if (path.endsWith('/image-exports/preview')) return previewAnswer
  if (path.endsWith('/image-exports') && method === 'POST') {
    startedCount += 1
    return exportOf(9, 'waiting', { filesDone: 0 })
  }
  if (path.endsWith('/image-exports'))
    return { resultItems: exports, currentPage: 1, pageSize: 5, totalRecords: exports.length }
  if (path.endsWith('/image-exports/1/file'))
    return { zipUrl: '/api/image-exports/3/1/zip?by=7', fileCount: 2000, bytes: 9 }
  return path.endsWith('/jobs/12') ? jobResponse : undefined
})
const screenUrl = '/admin/studios/3/jobs/12/images/exports'
const text = () => document.querySelector('main')?.textContent ?? ''
const hasExportButton = () =>
  [...document.querySelectorAll('main button')].some(({ textContent }) => textContent?.startsWith('Export '))
const cropStyles = () => [...document.querySelectorAll<HTMLElement>('main li img')].map(({ style }) => style.height)

test('the first images are previewed with their crops before the export can start', async () => {
  exports = []
  render(staffScreenAt(screenUrl))
  await waitUntil(() => getButton('Preview'))
  expect(hasExportButton()).toBe(false)
  expect(text()).toContain('The export can start after the preview.')
  expect(getElement<HTMLDetailsElement>('main details').open).toBe(false)
  click(getButton('Preview'))
  await waitUntil(() => expect(text()).toContain('Left out without an image: 3 people.'))
  // The template takes 80 % of the height, and the crop of an order 40 %.
  expect(cropStyles()).toEqual(['125%', '250%'])
  expect(text()).toContain('00000031.jpg')
  expect(startedCount).toBe(0)
  click(getButton('Export 1,987 images'))
  await waitUntil(() => expect(startedCount).toBe(1))
})

test('a changed setting needs a new preview, but the template moves the crops at once', async () => {
  render(staffScreenAt(screenUrl))
  await waitUntil(() => click(getButton('Preview')))
  await waitUntil(() => expect(cropStyles()).toHaveLength(2))
  const slider = [...document.querySelectorAll('input[type="range"]')].at(-1) as HTMLInputElement
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  setValue?.call(slider, '0.5')
  fire(slider, new Event('input', { bubbles: true }))
  await waitUntil(() => expect(cropStyles()).toEqual(['200%', '250%']))
  click(getElement<HTMLInputElement>('fieldset input[type="checkbox"]'))
  await waitUntil(() => getButton('Preview'))
  expect(cropStyles()).toEqual([])
})

test('errors of the settings are shown at their fields', async () => {
  const message = 'Yearbook publishers need at least 640 × 800 pixels, at 4:5'
  previewAnswer = Response.json(
    { errors: ['Please fix the fields marked below'], fields: { width: [message] } },
    { status: 422 },
  )
  render(staffScreenAt(screenUrl))
  await waitUntil(() => click(getButton('Preview')))
  await waitUntil(() => expect(text()).toContain(message))
  expect(getElement<HTMLDetailsElement>('main details').open).toBe(true)
  previewAnswer = preview
})

test('exports show their progress, their failure with a retry, and their files until they are removed', async () => {
  exports = [
    exportOf(1, 'ready'),
    exportOf(2, 'making', { filesDone: 120, expiresAt: null }),
    exportOf(3, 'failed', { error: 'The file of bo.jpg is missing. Upload it again, then retry', expiresAt: null }),
    exportOf(4, 'expired'),
  ]
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  render(staffScreenAt(screenUrl))
  await waitUntil(() => expect(text()).toContain('2,000 of 2,000 images, until Apr 22, 10:00 AM'))
  expect(text()).toContain('120 of 2,000 images made')
  expect(text()).toContain('The file of bo.jpg is missing. Upload it again, then retry')
  expect(text()).toContain('Its files were removed')
  expect(getElement<HTMLProgressElement>('progress').value).toBe(120)
  getButton('Retry')
  click(getButton('Download VOLUME1, export 1'))
  await waitUntil(() => expect(assign).toHaveBeenCalledWith('/api/image-exports/3/1/zip?by=7'))
})
