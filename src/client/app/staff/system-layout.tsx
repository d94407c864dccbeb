import Building from 'lucide-react/icons/building-2'
import type { ReactNode } from 'react'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { productName } from '#ui/page/document-title.ts'
import { StaffLayout } from './staff-layout.tsx'

/** Layout of the platform administrators' screens. */
export const SystemLayout = ({ children }: { children: ReactNode }) => (
  <StaffLayout
    name={productName}
    home={staffUrls.admin()}
    items={[{ label: 'Studios', href: staffUrls.admin(), icon: Building, current: true }]}
  >
    {children}
  </StaffLayout>
)
