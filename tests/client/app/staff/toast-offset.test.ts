import { expect, test } from 'vitest'
import { type Box, toastOffset } from '#client/app/staff/toast-offset.ts'

/** A tablet in portrait, 768 × 1024, with a toast in the lower right corner. */
const toasts: Box = { left: 372, right: 752, top: 954, bottom: 1008 }
const bottomBar: Box = { left: 0, right: 768, top: 962, bottom: 1024 }
const actionBar: Box = { left: 32, right: 736, top: 890, bottom: 962 }
const sideBar: Box = { left: 0, right: 240, top: 0, bottom: 1024 }
const dialog: Box = { left: 300, right: 700, top: 800, bottom: 880 }
const fullScreen: Box = { left: 0, right: 768, top: 0, bottom: 1024 }

test.each<[string, Box[], number]>([
  ['nothing if nothing overlaps', [], 0],
  ['nothing for a side bar next to them', [sideBar], 0],
  ['the bottom bar', [bottomBar], 54],
  ['an action bar above the bottom bar', [actionBar, bottomBar], 126],
  ['a button above the bars, with too little room between', [dialog, actionBar, bottomBar], 216],
  ['the bars but not a button far above them', [{ ...dialog, top: 700, bottom: 780 }, actionBar, bottomBar], 126],
  ['nothing if no position is free', [fullScreen], 0],
])('toasts are lifted above %s', (_, actions, offset) => expect(toastOffset(actions, toasts)).toBe(offset))
