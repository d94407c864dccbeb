import { expect, test } from 'vitest'
import { OrderingUnavailableNotice } from '#client/customer/shared/job/ordering-unavailable-notice.tsx'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const { job, studio } = springJobContext()
const studioWithPhone = { ...studio, phone: '937-555-0142' }
const noticeText = (overrides: Parameters<typeof springJobContext>[0], totalCents = 2400) => {
  render(<OrderingUnavailableNotice job={springJobContext(overrides)} totalCents={totalCents} />)
  return document.querySelector('[role=status]')?.textContent ?? ''
}

test('a cart that can be ordered shows no notice', () => {
  expect(noticeText({ job: { ...job, acceptsCards: true } })).toBe('')
  expect(noticeText({ job })).toBe('')
})

test('a studio that accepts no payments is reported before any input, with its contact', () => {
  expect(noticeText({ job: { ...job, acceptsCards: false }, studio: studioWithPhone })).toBe(
    'Riverside Portraits can’t take payments yetWhat you chose is saved. Ask the studio when you can pay: 937-555-0142.',
  )
})

test('a free cart can be ordered from a studio that accepts no payments', () => {
  expect(noticeText({ job: { ...job, acceptsCards: false } }, 0)).toBe('')
})

test('a closed job is reported before any input', () => {
  expect(noticeText({ closedReason: 'Ordering has ended' })).toBe(
    'Ordering has endedWhat you chose is saved. Ask the studio if you would still like to order.',
  )
})
