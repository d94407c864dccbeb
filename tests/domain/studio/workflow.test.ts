import { describe, expect, test } from 'vitest'
import { dueOn, initialSteps, tickStep, workflowProgress } from '#domain/studio/workflow.ts'

const steps = [
  { name: 'Import the roster', dueDays: -14 },
  { name: 'Picture day', dueDays: 0 },
  { name: 'Upload images', dueDays: 3 },
]
const at = '2027-04-15T10:00:00.000Z'

describe('workflows', () => {
  test.each([
    ['2027-04-15', -14, '2027-04-01'],
    ['2027-02-27', 3, '2027-03-02'],
    ['2027-12-31', 1, '2028-01-01'],
    ['2027-03-14', 0, '2027-03-14'],
  ])('a step of an event on %s that is due after %d days is due on %s', (day, dueDays, due) =>
    expect(dueOn({ name: 'Upload pictures', dueDays }, day)).toBe(due),
  )

  test('a step is due relative to the event’s day, and has no due date without one', () => {
    expect(steps.map((step) => dueOn(step, '2027-04-15'))).toEqual(['2027-04-01', '2027-04-15', '2027-04-18'])
    expect(steps.map((step) => dueOn(step, null))).toEqual([null, null, null])
  })

  test('a workflow starts at its first step', () => {
    expect(workflowProgress(initialSteps(steps))).toMatchObject({
      done: 0,
      total: 3,
      next: { name: 'Import the roster' },
    })
  })

  test('ticking a step stores who did it first, and unticking clears that', () => {
    const initial = initialSteps(steps)
    const ticked = tickStep(initial, { step: 1, done: true, at, by: 7 }) ?? []
    expect(ticked[1]).toEqual({ name: 'Picture day', dueDays: 0, done: true, doneAt: at, doneBy: 7 })
    expect(workflowProgress(ticked)).toMatchObject({ done: 1, total: 3, next: { name: 'Import the roster' } })
    expect(tickStep(ticked, { step: 1, done: true, at: '2027-04-16T10:00:00.000Z', by: 8 })).toEqual(ticked)
    expect(tickStep(ticked, { step: 1, done: false, at, by: 8 })).toEqual(initial)
  })

  test('there is no next step when all are done', () => {
    const allTicked = steps.reduce(
      (done, _, step) => tickStep(done, { step, done: true, at, by: 7 }) ?? [],
      initialSteps(steps),
    )
    expect(workflowProgress(allTicked)).toEqual({ done: 3, total: 3, next: null })
  })

  test('ticking a missing step returns null', () =>
    expect(tickStep(initialSteps(steps), { step: 3, done: true, at, by: 7 })).toBeNull())
})
