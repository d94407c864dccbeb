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
import { withDraft } from './draft.ts'
import { jumpTo } from './gap-list.tsx'
import { LineToPose } from './line-to-pose.tsx'
import type { Part } from './part.ts'
import { draftOfPoses, type PosesDraft, posesKey } from './poses-draft.ts'
import { gapsToPose, type OrderPoses, partToPose, personOn } from './posing.ts'

type ChoosePicturesProps = { route: OrderRoute; poses: OrderPoses; kept: PosesDraft | null }

/** The lines somebody changed before, as they left them. */
const changedBefore = ({ lines, organizationType }: OrderPoses, kept: PosesDraft | null): Map<number, Part> =>
  new Map(
    lines.flatMap((one) => {
      const draft = kept?.drafts[one.id]
      return draft
        ? withDraft([partToPose(one, organizationType)], draft, { images: one.images }).map(
            (part) => [one.id, part] as const,
          )
        : []
    }),
  )

/** The pictures of paid packages, chosen package by package and sent together; on this phone as they are chosen. */
export const ChoosePictures = ({ route, poses, kept }: ChoosePicturesProps) => {
  const { jobId, orderNumber } = route
  const draft = useDraft(posesKey(jobId, orderNumber))
  // As it was found: a newer answer is nothing somebody chose, and must not bring back a draft that has served.
  const [opened] = useState(poses)
  const [first] = useState(() => changedBefore(poses, kept))
  const [changed, setChanged] = useState<ReadonlyMap<number, Part>>(first)
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [, navigate] = useLocation()
  const lines = useMemo(
    () =>
      poses.lines
        .filter((one) => one.images.length > 0)
        .map((one) => ({ one, begun: partToPose(one, poses.organizationType) })),
    [poses],
  )
  const chosen = lines.map(({ one, begun }) => ({ one, part: changed.get(one.id) ?? begun }))
  useEffect(() => {
    if (changed !== first) draft.save(draftOfPoses(opened, changed))
  }, [changed, first, draft, opened])

  const send = async (): Promise<boolean> => {
    for (const { one, part } of chosen) {
      const answer = await ask(patchOrderPoses, {
        params: { jobId, orderId: orderNumber, lineId: one.id },
        body: { imageNodes: part.images, greenScreenBackgroundId: part.kept.greenScreenBackgroundId },
      })
      if (answer.ok) continue
      const waits = 'Sending them needs a connection. What you chose is kept on this phone.'
      toastError(answer.status === 'unreachable' ? [waits] : answer.errors)
      return false
    }
    return true
  }
  const save = async () => {
    setAsked(true)
    const [gap] = chosen.flatMap(({ one, part }, at) => gapsToPose(part, personOn(one), at))
    if (gap) return jumpTo(gap.fieldId)
    setBusy(true)
    const isSent = await send()
    if (!isSent) return setBusy(false)
    await draft.drop()
    announceChange(null)
    toast('Your pictures are chosen')
    navigate(urls.order(route))
  }
  const changePart = (id: number, before: Part) => (change: (before: Part) => Part) =>
    setChanged((all) => new Map(all).set(id, change(all.get(id) ?? before)))
  return (
    <>
      {chosen.map(({ one, part }, at) => (
        <LineToPose key={one.id} {...{ jobId, at, one, part, asked }} onPart={changePart(one.id, part)} />
      ))}
      <BottomBar label={`Order ${orderNumber}${changed.size > 0 ? ' · Saved on this phone' : ''}`}>
        <Button loading={busy} onClick={() => void save()}>
          Save the pictures
        </Button>
      </BottomBar>
    </>
  )
}
