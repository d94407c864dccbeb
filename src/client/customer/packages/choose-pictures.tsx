import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { patchOrderPoses } from '../../../contract/order-poses.ts'
import { ask } from '../../device/ask.ts'
import { announceChange } from '../../device/changes.ts'
import { type OrderRoute, urls } from '../../shell/urls.ts'
import { Button } from '../../ui/button.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { BottomBar } from '../layout-bottom-bar.tsx'
import { useDraft } from '../use-draft.ts'
import type { PartDraft } from './draft.ts'
import { jumpTo } from './gap-list.tsx'
import { LineToPose } from './line-to-pose.tsx'
import type { Part } from './part.ts'
import { draftOfPoses, type PosesDraft, posesKey } from './poses-draft.ts'
import {
  changeOf,
  gapsToPose,
  isChoosing,
  type OrderPoses,
  partToPose,
  stepsToPose,
  toPut,
  withChange,
} from './posing.ts'

type ChoosePicturesProps = {
  route: OrderRoute
  poses: OrderPoses
  kept: PosesDraft | null
  /** Reads the order once more: another device changed it. */
  onConflict: () => void
}

/** What somebody changed before, line by line. */
const changedBefore = ({ lines }: OrderPoses, kept: PosesDraft | null): Map<number, PartDraft> =>
  new Map(
    lines.flatMap(({ id }) => {
      const [change] = kept?.drafts[id]?.parts ?? []
      return change ? [[id, change] as const] : []
    }),
  )

const wordsFor = (poses: OrderPoses) =>
  isChoosing(poses)
    ? {
        save: 'Save the pictures',
        done: 'Your pictures are chosen',
        waits: 'Sending them needs a connection. What you chose is kept on this phone.',
      }
    : {
        save: 'Save the changes',
        done: 'Your order is changed',
        waits: 'Saving needs a connection. What you changed is kept on this phone.',
      }

const overtaken = 'This was changed on another device in between. What you changed is kept: look it over and save again'

/** Pictures and texts of paid packages, put right package by package and sent together; on this phone as they are changed. */
export const ChoosePictures = ({ route, poses, kept, onConflict }: ChoosePicturesProps) => {
  const { jobId, orderNumber } = route
  const draft = useDraft(posesKey(jobId, orderNumber))
  // As it was found: a newer answer is nothing somebody chose, and must not bring back a draft that has served.
  const [opened] = useState(poses)
  const [words] = useState(() => wordsFor(poses))
  const [first] = useState(() => changedBefore(poses, kept))
  const [changed, setChanged] = useState<ReadonlyMap<number, PartDraft>>(first)
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [, navigate] = useLocation()
  const lines = useMemo(
    () =>
      poses.lines
        .filter((one) => stepsToPose(one).length > 0)
        .map((one) => ({ one, begun: partToPose(one, poses.organizationType) })),
    [poses],
  )
  const chosen = lines.map(({ one, begun }) => ({ one, begun, part: withChange(begun, changed.get(one.id), one) }))
  useEffect(() => {
    if (changed !== first) draft.save(draftOfPoses(opened, changed))
  }, [changed, first, draft, opened])

  const send = async (): Promise<boolean> => {
    for (const { one, part } of chosen) {
      const body = toPut(one, part)
      if (!body) continue
      const answer = await ask(patchOrderPoses, { params: { jobId, orderId: orderNumber, lineId: one.id }, body })
      if (answer.ok) continue
      if (answer.status === 409) onConflict()
      toastError(answer.status === 'unreachable' ? [words.waits] : answer.status === 409 ? [overtaken] : answer.errors)
      return false
    }
    return true
  }
  const save = async () => {
    setAsked(true)
    const [gap] = chosen.flatMap(({ one, part }, at) => gapsToPose(one, part, at))
    if (gap) return jumpTo(gap.fieldId)
    setBusy(true)
    const isSent = await send()
    if (!isSent) return setBusy(false)
    await draft.drop()
    announceChange(null)
    toast(words.done)
    navigate(urls.order(route))
  }
  const changePart =
    ({ one, begun, part }: (typeof chosen)[number]) =>
    (change: (before: Part) => Part) =>
      setChanged((all) => {
        const before = all.has(one.id) ? withChange(begun, all.get(one.id), one) : part
        const next = new Map(all)
        const now = changeOf(begun, change(before))
        if (now) next.set(one.id, now)
        else next.delete(one.id)
        return next
      })
  return (
    <>
      {chosen.map((each, at) => (
        <LineToPose
          key={each.one.id}
          {...{ jobId, at, asked }}
          one={each.one}
          part={each.part}
          onPart={changePart(each)}
        />
      ))}
      <BottomBar label={`Order ${orderNumber}${changed.size > 0 ? ' · Saved on this phone' : ''}`}>
        <Button loading={busy} onClick={() => void save()}>
          {words.save}
        </Button>
      </BottomBar>
    </>
  )
}
