import { expect, it } from 'vitest'
import { drawFaultSequence } from './fault-sequence.ts'

const edits = ['add', 'set-quantity', 'write', 'remove', 'put-back', 'clear', 'tap-more', 'tap-fewer', 'choose']

it('draws at least twenty edits from both tabs and at least four troubles, the same for the same seed', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const { steps } = drawFaultSequence(seed)
    const edited = steps.filter((step) => edits.includes(step.do))
    expect(edited.length).toBeGreaterThanOrEqual(20)
    expect(new Set(edited.flatMap((step) => ('tab' in step ? step.tab : [])))).toEqual(new Set([0, 1]))
    expect(steps.filter((step) => !edits.includes(step.do) && step.do !== 'look').length).toBeGreaterThanOrEqual(4)
    expect(drawFaultSequence(seed).steps).toEqual(steps)
  }
})
