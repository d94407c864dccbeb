import { describe, expect, test } from 'vitest'
import { type EntryGuardInput, guardEntry } from '#client/customer/shared/job/entry-guard.ts'
import { selectOrderMethod } from '#client/customer/shared/job/select-order-method.ts'
import type { JobAvailability } from '#contract/customer/discovery-calls.ts'
import { unreachable } from '#local/transport/request.ts'

const shut = { available: false, opens: null, closes: null }
const open = { available: true, opens: null, closes: null }
const available: JobAvailability = {
  jobId: 12,
  studioSlug: 'riverside',
  studioName: 'Riverside Portraits',
  jobName: 'Spring Portraits 2027',
  published: true,
  archived: false,
  prepay: shut,
  gallery: open,
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
const broken = { ok: false as const, status: 500, errors: ['Something went wrong on our side'] }
const codeNeeded = { ok: false as const, status: 403, errors: ['The code, please'], problem: 'code-needed' }
const decide = (more: Partial<EntryGuardInput>) => guardEntry({ ...input, ...more })
const but = (more: Partial<JobAvailability>) => ({ ...available, ...more })
const later = { ...shut, opens: '2027-09-01T14:00:00.000Z' }

describe('the entry guard', () => {
  const cases: [string, Partial<EntryGuardInput>, ReturnType<typeof guardEntry>][] = [
    ['lets in what is open', {}, { go: 'in', closed: null }],
    ['waits for a first answer', { availability: undefined }, { go: 'wait' }],
    [
      'goes on to not-found with a non-numeric job',
      { jobId: Number.NaN, availability: undefined },
      { go: 'not-found' },
    ],
    [
      'takes another studio’s event for none',
      { availability: but({ studioSlug: 'summit' }), studio: { slug: 'riverside' } },
      { go: 'not-found' },
    ],
    [
      'waits for the studio where the event names another slug',
      { availability: but({ studioSlug: 'summit' }) },
      { go: 'wait' },
    ],
    [
      'takes an address of no studio for none',
      { availability: but({ studioSlug: 'summit' }), studioProblem: notFound },
      { go: 'not-found' },
    ],
    [
      'lets in by a former slug of the studio',
      { studioSlug: 'old-riverside', studio: { slug: 'riverside' } },
      { go: 'in', closed: null },
    ],
    [
      'is unavailable when never opened and unreachable',
      { availability: undefined, problem: unreachable },
      { go: 'unavailable', reason: { why: 'unreachable', message: unreachable.errors[0] ?? '' } },
    ],
    [
      'says that the server failed, and never that the phone has no connection, after a 500',
      { availability: undefined, problem: broken },
      { go: 'unavailable', reason: { why: 'failed', message: 'Something went wrong on our side' } },
    ],
    [
      'does not call an event missing while its studio is only out of reach',
      { availability: but({ studioSlug: 'summit' }), studioProblem: unreachable, factsProblem: unreachable },
      { go: 'failed', problem: unreachable },
    ],
    [
      'shows nothing of another studio’s event on the exempt screens either',
      { frame: 'exempt', availability: but({ studioSlug: 'summit' }), studio: { slug: 'riverside' } },
      { go: 'not-found' },
    ],
    [
      'is unavailable when the fetch fails for good',
      { availability: undefined, problem: notFound },
      { go: 'unavailable', reason: { why: 'not-found' } },
    ],
    ['lets in from the cached answer while unreachable', { problem: unreachable }, { go: 'in', closed: null }],
    [
      'turns away from what is unpublished',
      { availability: but({ published: false }) },
      { go: 'unavailable', reason: { why: 'unpublished' } },
    ],
    [
      'says no more than that it is shut to who gave no code',
      { availability: but({ gallery: shut, codeGiven: false, jobName: '' }) },
      { go: 'unavailable', reason: { why: 'shut' } },
    ],
    [
      'turns away from what is archived',
      { availability: but({ archived: true }) },
      { go: 'unavailable', reason: { why: 'archived' } },
    ],
    [
      'turns away when no mode is open',
      { availability: but({ gallery: shut }) },
      { go: 'unavailable', reason: { why: 'closed' } },
    ],
    [
      'says when it opens',
      { availability: but({ gallery: shut, prepay: later }) },
      { go: 'unavailable', reason: { why: 'later', opens: later.opens } },
    ],
    [
      'shows a definite no in place in cart and checkout',
      { frame: 'cart', availability: but({ gallery: shut }) },
      { go: 'in', closed: { why: 'closed' } },
    ],
    [
      'lets the exempt pass whatever is true',
      { frame: 'exempt', availability: but({ archived: true, codeGiven: false }) },
      { go: 'in', closed: null },
    ],
    ['asks for a code never given', { availability: but({ codeGiven: false }) }, { go: 'code' }],
    [
      'waits while it reads what the device keeps',
      { code: undefined, availability: but({ codeGiven: false }) },
      { go: 'wait' },
    ],
    [
      'lets in with a code the device kept',
      { code: 'kept', availability: but({ codeGiven: false }) },
      { go: 'in', closed: null },
    ],
    [
      'asks for another code where the kept one was refused',
      { code: 'refused', availability: but({ codeGiven: false }) },
      { go: 'code' },
    ],
    [
      'leaves a cart readable whose code was refused',
      { code: 'refused', frame: 'cart', availability: but({ codeGiven: false }) },
      { go: 'in', closed: null },
    ],
    [
      'asks for another code where nothing of the event is left to read the cart by',
      { code: 'refused', frame: 'cart', availability: but({ codeGiven: false }), factsProblem: codeNeeded },
      { go: 'code' },
    ],
    ['lets in who gave the code whatever else is missing', { factsProblem: codeNeeded }, { go: 'in', closed: null }],
  ]
  test.each(cases)('%s', (_, more, decision) => expect(decide(more)).toEqual(decision))
})

describe('the order method', () => {
  const both = but({ prepay: open })
  const neither = but({ gallery: shut })
  const cases: [string, Parameters<typeof selectOrderMethod>[0], string][] = [
    ['is the only open one', { availability: available, hasPublishedImages: false, chosen: null }, 'gallery'],
    [
      'is that of the device’s cart, if still open',
      { availability: both, hasPublishedImages: true, chosen: 'prepay' },
      'prepay',
    ],
    [
      'is not that of the device’s cart once it is closed',
      { availability: available, hasPublishedImages: true, chosen: 'prepay' },
      'gallery',
    ],
    ['is gallery if images are published', { availability: both, hasPublishedImages: true, chosen: null }, 'gallery'],
    ['is prepay if no images are published', { availability: both, hasPublishedImages: false, chosen: null }, 'prepay'],
    [
      'is that of the closed cart, which stays readable',
      { availability: neither, hasPublishedImages: true, chosen: 'prepay' },
      'prepay',
    ],
    [
      'is unknown without any information',
      { availability: neither, hasPublishedImages: true, chosen: null },
      'unknown',
    ],
  ]
  test.each(cases)('%s', (_, choice, method) => expect(selectOrderMethod(choice).method).toBe(method))
})
