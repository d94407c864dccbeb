import { describe, expect, test } from 'vitest'
import { endGroup, recordChange, redo, startHistory, undo } from '#client/staff/studio/packages/editor/edit-history.ts'

describe('edit history', () => {
  const initialHistory = startHistory(0)
  const twoSteps = recordChange(recordChange(initialHistory, 1), 2)

  test('undo and redo move between steps', () => {
    expect(undo(twoSteps)).toMatchObject({ now: 1, past: [0], future: [2] })
    expect(redo(undo(twoSteps)).now).toBe(2)
    expect(undo(undo(undo(twoSteps))).now).toBe(0)
    expect(redo(twoSteps)).toBe(twoSteps)
  })

  test('a change after an undo clears the redo steps', () => {
    expect(redo(recordChange(undo(twoSteps), 9))).toMatchObject({ now: 9, past: [0, 1], future: [] })
  })

  test('changes of one group are one step until the group ends', () => {
    const oneGroup = recordChange(recordChange(recordChange(initialHistory, 1, 'name'), 2, 'name'), 3, 'name')
    expect(undo(oneGroup).now).toBe(0)
    const afterEndedGroup = recordChange(endGroup(oneGroup), 4, 'name')
    expect(undo(afterEndedGroup).now).toBe(3)
    expect(undo(recordChange(oneGroup, 5, 'price')).now).toBe(3)
  })

  test('a change to the same value adds no step, and the history is limited to 100 steps', () => {
    expect(recordChange(initialHistory, 0)).toBe(initialHistory)
    let fullHistory = initialHistory
    for (let step = 1; step <= 300; step += 1) fullHistory = recordChange(fullHistory, step)
    expect(fullHistory.past).toHaveLength(100)
    expect(fullHistory.past.at(-1)).toBe(299)
  })
})
