import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PackageSubject } from '#client/customer/packages/package-context.ts'
import { PoseStrip } from '#client/customer/packages/selection/pose-strip.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import { click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { ada, groupImage, portrait } from '../package-examples.ts'

const offerLabel = 'Tell me when they are online'
const requests: { url: string; body: unknown }[] = []
let status = 200

const renderOffer = (images: readonly Image[], subject: PackageSubject = ada) =>
  render(
    <JobContext value={springJobContext()}>
      <PoseStrip
        {...{ subject, images }}
        chosenId={null}
        displayedImage={images[0] ?? null}
        yearBookImageId={null}
        favouriteIds={[]}
        onChoose={() => undefined}
      />
    </JobContext>,
  )

const buttons = () => [...document.querySelectorAll('button')].map(({ textContent }) => textContent)

beforeEach(() => {
  requests.length = 0
  status = 200
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    requests.push({ url: String(url), body: JSON.parse(String(body)) })
    return new Response(JSON.stringify(status === 200 ? { data: {} } : { errors: ['An error occurred'] }), { status })
  })
})
afterEach(() => vi.unstubAllGlobals())

test.each([
  ['no image', []],
  ['group images only', [groupImage]],
])('a customer who sees %s of their child can leave an address for one email', async (_, images) => {
  renderOffer(images)
  click(getButton(offerLabel))
  await waitForPage(() => expect(document.activeElement).toBe(getElement('input[name=email]')))
  type(getElement<HTMLInputElement>('input[name=email]'), 'anne@example.com')
  click(getButton(offerLabel))
  await waitForPage(() =>
    expect(document.body.textContent).toContain('We’ll email anne@example.com when they are online'),
  )
  expect(requests).toEqual([{ url: '/api/customer/jobs/1/subjects/7/notify-me', body: { email: 'anne@example.com' } }])
})

test('an empty address is reported, and one that could not be sent stays', async () => {
  renderOffer([groupImage])
  click(getButton(offerLabel))
  await waitForPage(() => getElement('input[name=email]'))
  click(getButton(offerLabel))
  await waitForPage(() => expect(document.body.textContent).toContain('This field is required'))
  expect(requests).toEqual([])
  status = 404
  type(getElement<HTMLInputElement>('input[name=email]'), 'anne@example.com')
  click(getButton(offerLabel))
  await waitForPage(() => expect(requests).toHaveLength(1))
  await waitForPage(() => expect(getElement<HTMLInputElement>('input[name=email]').value).toBe('anne@example.com'))
})

test.each([
  ['a subject with own images', [portrait, groupImage], ada],
  ['a typed subject without possible images', [], { ...ada, subjectId: null, personId: 'p' }],
])('%s offers no notification', (_, images, person) => {
  renderOffer(images, person)
  expect(buttons()).not.toContain(offerLabel)
})
