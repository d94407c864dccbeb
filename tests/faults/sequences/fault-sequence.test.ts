import { expect, it } from 'vitest'
import { drawFaultSequence } from './fault-sequence.ts'

const editKinds = [
  'add',
  'set-quantity',
  'set-text',
  'remove',
  'undo-removal',
  'clear',
  'tap-more',
  'tap-fewer',
  'add-by-touch',
]

it('A seed always gives the same sequence, with at least twenty edits in total, edits in both tabs, and at least four disruptions', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const { steps } = drawFaultSequence(seed)
    const editSteps = steps.filter((step) => editKinds.includes(step.do))
    expect(editSteps.length).toBeGreaterThanOrEqual(20)
    expect(new Set(editSteps.flatMap((step) => ('tab' in step ? step.tab : [])))).toEqual(new Set([0, 1]))
    expect(steps.filter((step) => !editKinds.includes(step.do) && step.do !== 'wait').length).toBeGreaterThanOrEqual(4)
    expect(drawFaultSequence(seed).steps).toEqual(steps)
  }
})
