import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { ImageChoiceNotice } from '#client/customer/orders/image-choice-notice.tsx'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { render } from '#support/rendering/render.tsx'
import { lineOf, packageItem, packageOf } from '#tests/domain/cart/cart-fixtures.ts'
import { image } from '../packages/package-examples.ts'

const line = lineOf(packageOf({ items: [packageItem()] }))
const imageChoices = (state: string, needsImages = true) => ({
  orderNumber: 'FP-00000000',
  jobName: 'Fall Picture Day',
  organizationType: 'school',
  state,
  lines: [{ id: 1, needsImages, line, images: state === 'waiting' ? [] : [image(501)] }],
})

/** The same choices with a package of another subject that has no images. */
const withAbsentSubject = (needsImages: boolean) => {
  const subject = { ...line.snapshot.subject, firstName: 'Grace' }
  const otherLine = { ...line, lineId: 'line-2', snapshot: { ...line.snapshot, subject } }
  const choices = imageChoices('open', needsImages)
  return { ...choices, lines: [...choices.lines, { id: 2, needsImages: true, line: otherLine, images: [] }] }
}

const absentMessage = 'Grace’s photos are still to come. We’ll email you when they’re ready.'

/** The same choices, but the studio hides the images of each subject that has none here. */
const withHiddenImages = (choices: ReturnType<typeof imageChoices>) => ({
  ...choices,
  lines: choices.lines.map((choice) => (choice.images.length === 0 ? { ...choice, withheld: true } : choice)),
})
const onlyHiddenImages = (needsImages: boolean) => withHiddenImages(imageChoices('waiting', needsImages))
const hiddenMessage = (name: string) => `We can’t show ${name}’s photos here. Please ask the studio.`

afterEach(() => {
  clearQueryCache()
  vi.unstubAllGlobals()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

const pageText = () => document.body.textContent ?? ''

/** Renders the notice and waits for asynchronous changes, outside of `act`. */
const renderNotice = async (data: unknown): Promise<string> => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data }), { status: 200 }))
  render(<ImageChoiceNotice studioSlug="riverside" jobId={1} orderNumber="FP-00000000" />)
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(() => expect(pageText()).not.toBe(''))
  return pageText()
}

test.each([
  ['are still to come', imageChoices('waiting'), 'We’ll email you when they’re ready.'],
  ['can be chosen', imageChoices('open'), 'Choose your photos'],
  ['are chosen', imageChoices('open', false), 'Change your photos'],
  [
    'can be chosen for one of two subjects',
    withAbsentSubject(true),
    `We’ll print your order once you’ve chosen. ${absentMessage}`,
  ],
  [
    'are chosen for one of two subjects',
    withAbsentSubject(false),
    `Your photos are chosen ${absentMessage}Change your photos`,
  ],
  [
    'can be chosen for one subject and are hidden for the other',
    withHiddenImages(withAbsentSubject(true)),
    `once you’ve chosen. ${hiddenMessage('Grace')}Choose`,
  ],
  [
    'are chosen for one subject and hidden for the other',
    withHiddenImages(withAbsentSubject(false)),
    `chosen ${hiddenMessage('Grace')}Change`,
  ],
  ['are hidden', onlyHiddenImages(true), hiddenMessage(line.snapshot.subject.firstName)],
  ['were chosen and hidden later', onlyHiddenImages(false), 'Your photos are chosen'],
])('the notice of an order whose images %s has the matching text', async (_, data, text) => {
  expect(await renderNotice(data)).toContain(text)
})

test.each([
  ['hidden', onlyHiddenImages(true)],
  ['chosen and hidden later', onlyHiddenImages(false)],
  ['hidden, next to another subject’s', withHiddenImages(withAbsentSubject(true))],
])('no email is promised for images that are %s', async (_, data) => {
  expect(await renderNotice(data)).not.toContain('email you')
})

test('the notice links to the image choice', async () => {
  await renderNotice(imageChoices('open'))
  const link = document.querySelector('a')
  expect(link?.getAttribute('href')).toBe('/riverside/1/order/FP-00000000/images')
})
