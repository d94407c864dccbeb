import { describe, expect, test } from 'vitest'
import { type EntryGuardInput, guardEntry } from '#client/customer/shared/job/entry-guard.ts'
import { orderMethodToShow } from '#client/customer/shared/job/select-order-method.ts'
import type { JobAvailability } from '#contract/customer/discovery-calls.ts'
import { unreachable } from '#local/transport/request.ts'

const closedMethod = { available: false, opens: null, closes: null }
const openMethod = { available: true, opens: null, closes: null }
const available: JobAvailability = {
  jobId: 12,
  studioSlug: 'riverside',
  studioName: 'Riverside Portraits',
  jobName: 'Spring Portraits 2027',
  published: true,
  archived: false,
  prepay: closedMethod,
  gallery: openMethod,
  codeGiven: true,
  grants: [],
}
const input: EntryGuardInput = {
  studioSlug: 'riverside',
  jobId: 12,
  availability: available,
  code: 'none',
  frame: 'event',
  now: '2027-05-01T00:00:00.000Z',
}
const notFound = { ok: false as const, status: 404, errors: ['We could not find this'], problem: 'not-found' }
const serverError = { ok: false as const, status: 500, errors: ['Something went wrong on our side'] }
const codeNeeded = { ok: false as const, status: 403, errors: ['The code, please'], problem: 'code-needed' }
const decide = (overrides: Partial<EntryGuardInput>) => guardEntry({ ...input, ...overrides })
const availabilityWith = (overrides: Partial<JobAvailability>) => ({ ...available, ...overrides })
const opensLater = { ...closedMethod, opens: '2027-09-01T14:00:00.000Z' }

describe('the entry guard', () => {
  const cases: [string, Partial<EntryGuardInput>, ReturnType<typeof guardEntry>][] = [
    ['opens a job that is open', {}, { go: 'in', closed: null }],
    ['waits for the first response', { availability: undefined }, { go: 'wait' }],
    ['shows not-found for a non-numeric job', { jobId: Number.NaN, availability: undefined }, { go: 'not-found' }],
    [
      'shows not-found for a job of another studio',
      { availability: availabilityWith({ studioSlug: 'summit' }), studio: { slug: 'riverside' } },
      { go: 'not-found' },
    ],
    [
      'waits for the studio if the job has another slug',
      { availability: availabilityWith({ studioSlug: 'summit' }) },
      { go: 'wait' },
    ],
    [
      'shows not-found for a slug without a studio',
      { availability: availabilityWith({ studioSlug: 'summit' }), studioProblem: notFound },
      { go: 'not-found' },
    ],
    [
      'opens a job by a former slug of the studio',
      { studioSlug: 'old-riverside', studio: { slug: 'riverside' } },
      { go: 'in', closed: null },
    ],
    [
      'shows that the studio is unreachable if the job was never opened',
      { availability: undefined, problem: unreachable },
      { go: 'unavailable', reason: { why: 'unreachable', message: unreachable.errors[0] ?? '' } },
    ],
    [
      'reports a server error after a 500, not a missing connection',
      { availability: undefined, problem: serverError },
      { go: 'unavailable', reason: { why: 'failed', message: 'Something went wrong on our side' } },
    ],
    [
      'reports a failure, not a missing job, while its studio is unreachable',
      {
        availability: availabilityWith({ studioSlug: 'summit' }),
        studioProblem: unreachable,
        jobDataProblem: unreachable,
      },
      { go: 'failed', problem: unreachable },
    ],
    [
      'shows not-found for a job of another studio on exempt screens too',
      { frame: 'exempt', availability: availabilityWith({ studioSlug: 'summit' }), studio: { slug: 'riverside' } },
      { go: 'not-found' },
    ],
    [
      'shows that the job does not exist after a 404',
      { availability: undefined, problem: notFound },
      { go: 'unavailable', reason: { why: 'not-found' } },
    ],
    [
      'opens a job from its cached availability while unreachable',
      { problem: unreachable },
      { go: 'in', closed: null },
    ],
    [
      'shows that the job is unpublished',
      { availability: availabilityWith({ published: false }) },
      { go: 'unavailable', reason: { why: 'unpublished' } },
    ],
    [
      'shows only that the job is closed to a customer without a code',
      { availability: availabilityWith({ gallery: closedMethod, codeGiven: false, jobName: '' }) },
      { go: 'unavailable', reason: { why: 'shut' } },
    ],
    [
      'shows that the job is archived',
      { availability: availabilityWith({ archived: true }) },
      { go: 'unavailable', reason: { why: 'archived' } },
    ],
    [
      'shows that the job is closed if no order method is open',
      { availability: availabilityWith({ gallery: closedMethod }) },
      { go: 'unavailable', reason: { why: 'closed' } },
    ],
    [
      'shows when the job opens',
      { availability: availabilityWith({ gallery: closedMethod, prepay: opensLater }) },
      { go: 'unavailable', reason: { why: 'later', opens: opensLater.opens } },
    ],
    [
      'shows cart and checkout of a closed job, with the reason',
      { frame: 'cart', availability: availabilityWith({ gallery: closedMethod }) },
      { go: 'in', closed: { why: 'closed' } },
    ],
    [
      'shows exempt screens of every job',
      { frame: 'exempt', availability: availabilityWith({ archived: true, codeGiven: false }) },
      { go: 'in', closed: null },
    ],
    [
      'asks for a code that was never entered',
      { availability: availabilityWith({ codeGiven: false }) },
      { go: 'code' },
    ],
    [
      'waits while the stored code is read',
      { code: undefined, availability: availabilityWith({ codeGiven: false }) },
      { go: 'wait' },
    ],
    [
      'opens a job with a stored code',
      { code: 'stored', availability: availabilityWith({ codeGiven: false }) },
      { go: 'in', closed: null },
    ],
    [
      'asks for another code if the stored one was rejected',
      { code: 'rejected', availability: availabilityWith({ codeGiven: false }) },
      { go: 'code' },
    ],
    [
      'shows a cart whose code was rejected',
      { code: 'rejected', frame: 'cart', availability: availabilityWith({ codeGiven: false }) },
      { go: 'in', closed: null },
    ],
    [
      'asks for another code if the job’s data is missing too',
      {
        code: 'rejected',
        frame: 'cart',
        availability: availabilityWith({ codeGiven: false }),
        jobDataProblem: codeNeeded,
      },
      { go: 'code' },
    ],
    [
      'opens a job with an entered code even if its data is missing',
      { jobDataProblem: codeNeeded },
      { go: 'in', closed: null },
    ],
  ]
  test.each(cases)('%s', (_, overrides, decision) => expect(decide(overrides)).toEqual(decision))
})

describe('the order method', () => {
  const bothOpen = availabilityWith({ prepay: openMethod })
  const bothClosed = availabilityWith({ gallery: closedMethod })
  const cases: [string, Parameters<typeof orderMethodToShow>[0], string][] = [
    ['is the only open one', { availability: available, hasPublishedImages: false, chosen: null }, 'gallery'],
    [
      'is that of the device’s cart, if still open',
      { availability: bothOpen, hasPublishedImages: true, chosen: 'prepay' },
      'prepay',
    ],
    [
      'is not that of the device’s cart once it is closed',
      { availability: available, hasPublishedImages: true, chosen: 'prepay' },
      'gallery',
    ],
    [
      'is gallery if images are published',
      { availability: bothOpen, hasPublishedImages: true, chosen: null },
      'gallery',
    ],
    [
      'is prepay if no images are published',
      { availability: bothOpen, hasPublishedImages: false, chosen: null },
      'prepay',
    ],
    [
      'is that of the closed cart, which stays readable',
      { availability: bothClosed, hasPublishedImages: true, chosen: 'prepay' },
      'prepay',
    ],
    [
      'is unknown without any information',
      { availability: bothClosed, hasPublishedImages: true, chosen: null },
      'unknown',
    ],
  ]
  test.each(cases)('%s', (_, choice, method) => expect(orderMethodToShow(choice).method).toBe(method))
})
