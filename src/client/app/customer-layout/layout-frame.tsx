import { type ReactNode, useState } from 'react'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import styles from '#client/customer/shared/layout/layout.module.css'
import type { CustomerRoute } from '#platform/urls.ts'
import { LayoutHeader } from './layout-header.tsx'
import type { JobData } from './use-job-data.ts'

type LayoutFrameProps = { route: CustomerRoute; jobData: JobData; children: ReactNode }

/** The layout: header, screen, and bottom bar within thumb reach. */
export const LayoutFrame = ({ route, jobData, children }: LayoutFrameProps) => {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  return (
    <div className={styles.page}>
      <LayoutHeader route={route} jobData={jobData} />
      <BottomBarSlot value={slot}>
        <main className={styles.main}>{children}</main>
      </BottomBarSlot>
      <div ref={setSlot} className={styles.bottom} />
    </div>
  )
}
