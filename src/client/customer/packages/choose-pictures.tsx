import { useState } from 'react'
import { useLocation } from 'wouter'
import { patchOrderPoses } from '../../../contract/order-poses.ts'
import type { OrganizationType } from '../../../domain/catalogue.ts'
import { ask } from '../../device/ask.ts'
import { announceChange } from '../../device/changes.ts'
import { type OrderRoute, urls } from '../../shell/urls.ts'
import { Button } from '../../ui/button.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { BottomBar } from '../layout-bottom-bar.tsx'
import { jumpTo } from './gap-list.tsx'
import { LineToPose } from './line-to-pose.tsx'
import type { Part } from './part.ts'
import { gapsToPose, type LineToPose as Line, partToPose, personOn } from './posing.ts'

type ChoosePicturesProps = { route: OrderRoute; lines: readonly Line[]; organizationType: OrganizationType }

/** The pictures of paid packages, chosen package by package and sent together. */
export const ChoosePictures = ({ route, lines, organizationType }: ChoosePicturesProps) => {
  const { jobId, orderNumber } = route
  const [first] = useState(() => new Map(lines.map((one) => [one.id, partToPose(one, organizationType)])))
  const [parts, setParts] = useState<ReadonlyMap<number, Part>>(first)
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [, navigate] = useLocation()

  const send = async (): Promise<boolean> => {
    for (const { id } of lines) {
      const imageNodes = parts.get(id)?.images ?? []
      const answer = await ask(patchOrderPoses, {
        params: { jobId, orderId: orderNumber, lineId: id },
        body: { imageNodes },
      })
      if (answer.ok) continue
      toastError(answer.errors)
      return false
    }
    return true
  }
  const save = async () => {
    setAsked(true)
    const gaps = lines.flatMap((one) => {
      const part = parts.get(one.id)
      return part ? gapsToPose(part, personOn(one)) : []
    })
    if (gaps[0]) return jumpTo(gaps[0].fieldId)
    setBusy(true)
    const isSent = await send()
    setBusy(false)
    if (!isSent) return
    announceChange(null)
    toast('Your pictures are chosen')
    navigate(urls.order(route))
  }
  const changePart = (id: number) => (change: (before: Part) => Part) =>
    setParts((all) => {
      const before = all.get(id)
      return before ? new Map(all).set(id, change(before)) : all
    })
  return (
    <>
      {lines.map((one) => {
        const [start, part] = [first.get(one.id), parts.get(one.id)]
        if (!start || !part) return null
        return <LineToPose key={one.id} {...{ one, part, asked }} first={start} onPart={changePart(one.id)} />
      })}
      <BottomBar label={`Order ${orderNumber}`}>
        <Button loading={busy} onClick={() => void save()}>
          Save the pictures
        </Button>
      </BottomBar>
    </>
  )
}
