import { useMemo, useState } from 'react'
import styles from './shoot.module.css'
import { type GroupCounts, lastMarked, remainingInGroup } from './shoot-counts.ts'
import { ShootDayGroups } from './shoot-day-progress.tsx'
import { ShootSubjectList } from './shoot-subject-list.tsx'
import type { CheckIn } from './use-check-in.ts'

/** Side column: the remaining subjects of a group, the subjects marked last, and the groups. */
export const ShootSide = ({ checkIn, groups }: { checkIn: CheckIn; groups: readonly GroupCounts[] }) => {
  const { day, chooseSubject } = checkIn
  const { subjects, isPending } = day
  const [openGroup, setOpenGroup] = useState<string | undefined>()
  const lastSubjects = useMemo(() => lastMarked(subjects), [subjects])
  return (
    <div className={styles.sideColumn}>
      {openGroup !== undefined && (
        <ShootSubjectList
          label={openGroup === '' ? 'In no group' : openGroup}
          subjects={remainingInGroup(subjects, openGroup)}
          empty="This group is done"
          isUnsent={isPending}
          onChoose={chooseSubject}
          onClose={() => setOpenGroup(undefined)}
        />
      )}
      <ShootSubjectList
        label="Last"
        subjects={lastSubjects}
        empty="People you check in appear here, the latest first"
        isUnsent={isPending}
        onChoose={chooseSubject}
      />
      <ShootDayGroups groups={groups} onShow={setOpenGroup} />
    </div>
  )
}
