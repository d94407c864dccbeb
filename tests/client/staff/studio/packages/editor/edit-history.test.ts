import { describe, expect, test } from 'vitest'
import { endGroup, recordChange, redo, startHistory, undo } from '#client/staff/studio/packages/editor/edit-history.ts'

describe('edit history', () => {
  const begun = startHistory(0)
  const two = recordChange(recordChange(begun, 1), 2)

  test('undo and redo move between steps', () => {
    expect(undo(two)).toMatchObject({ now: 1, past: [0], future: [2] })
    expect(redo(undo(two)).now).toBe(2)
    expect(undo(undo(undo(two))).now).toBe(0)
    expect(redo(two)).toBe(two)
  })

  test('a change after an undo clears the redo steps', () => {
    expect(redo(recordChange(undo(two), 9))).toMatchObject({ now: 9, past: [0, 1], future: [] })
  })

  test('changes of one group are one step until the group ends', () => {
    const typed = recordChange(recordChange(recordChange(begun, 1, 'name'), 2, 'name'), 3, 'name')
    expect(undo(typed).now).toBe(0)
    const apart = recordChange(endGroup(typed), 4, 'name')
    expect(undo(apart).now).toBe(3)
    expect(undo(recordChange(typed, 5, 'price')).now).toBe(3)
  })

  test('a change to the same value is no step, and the history is limited to 100 steps', () => {
    expect(recordChange(begun, 0)).toBe(begun)
    let many = begun
    for (let step = 1; step <= 300; step += 1) many = recordChange(many, step)
    expect(many.past).toHaveLength(100)
    expect(many.past.at(-1)).toBe(299)
  })
})
