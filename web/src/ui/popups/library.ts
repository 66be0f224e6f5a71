/** Everything that opens over the page, as one file that comes after the page. */
export {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from './menu.tsx';
export { Popover, PopoverContent, PopoverTrigger } from './popover.tsx';
export { Select } from './select.tsx';
export { Tooltip, TooltipProvider } from './tooltip.tsx';
