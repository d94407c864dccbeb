import Building from 'lucide-react/icons/building-2'
import type { ReactNode } from 'react'
import { StaffLayout } from '../../staff/staff-layout.tsx'
import { staffUrls } from '../../staff/staff-urls.ts'
import { productName } from '../title.ts'

/** What stands around the platform's own screens. */
export const SystemFrame = ({ children }: { children: ReactNode }) => (
  <StaffLayout
    name={productName}
    home={staffUrls.admin()}
    places={[{ label: 'Studios', href: staffUrls.admin(), icon: Building, current: true }]}
  >
    {children}
  </StaffLayout>
)
