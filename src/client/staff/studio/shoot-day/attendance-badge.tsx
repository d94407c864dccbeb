import Camera from 'lucide-react/icons/camera'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import UserX from 'lucide-react/icons/user-x'
import type { AttendanceStatus } from '#domain/subjects/attendance.ts'
import { Icon } from '#ui/icon.tsx'
import styles from './shoot.module.css'

const badges = {
  waiting: { icon: CircleDashed, label: 'Not checked in' },
  photographed: { icon: Camera, label: 'Checked in' },
  absent: { icon: UserX, label: 'Absent' },
  retake: { icon: RotateCcw, label: 'Retake' },
} as const satisfies Record<AttendanceStatus, object>

/** Attendance status as an icon with a label, because color alone is not readable in sunlight. */
export const AttendanceBadge = ({ status, isUnsent = false }: { status: AttendanceStatus; isUnsent?: boolean }) => (
  <span className={styles.attendance} data-status={status}>
    <Icon of={badges[status].icon} />
    {badges[status].label}
    {isUnsent && <span className={styles.unsent}>Not sent yet</span>}
  </span>
)
