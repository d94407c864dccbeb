import { expect, test } from 'vitest'
import { type Box, toastOffset } from '#client/app/staff/toast-offset.ts'

/** A tablet in portrait, 768 × 1024, with a toast in the lower right corner. */
const toasts: Box = { left: 372, right: 752, top: 954, bottom: 1008 }
const foot: Box = { left: 0, right: 768, top: 962, bottom: 1024 }
const bar: Box = { left: 32, right: 736, top: 890, bottom: 962 }
const rail: Box = { left: 0, right: 240, top: 0, bottom: 1024 }
const dialog: Box = { left: 300, right: 700, top: 800, bottom: 880 }
const wall: Box = { left: 0, right: 768, top: 0, bottom: 1024 }

test.each<[string, Box[], number]>([
  ['nothing in the way', [], 0],
  ['what stands beside it', [rail], 0],
  ['the rail at the foot', [foot], 54],
  ['a bar on that rail', [bar, foot], 126],
  ['a button above the bar, where a toast would not fit between', [dialog, bar, foot], 216],
  ['a button so far above that it fits', [{ ...dialog, top: 700, bottom: 780 }, bar, foot], 126],
  ['no place anywhere', [wall], 0],
])('a toast is lifted over %s', (_, actions, lift) => expect(toastOffset(actions, toasts)).toBe(lift))
