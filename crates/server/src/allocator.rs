//! mimalloc as the global allocator, called as C programs call it. The crate `mimalloc` names the alignment in every
//! call, and then mimalloc 3 takes its path for unusual alignments for each block of more than a kilobyte: that path is
//! slower and takes some bytes more, which moves a block of a round size into the next size class.
#![expect(
    unsafe_code,
    reason = "an allocator is called with layouts and addresses that only its caller can vouch for"
)]

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::c_void;

use libmimalloc_sys::{
    mi_free, mi_malloc, mi_malloc_aligned, mi_realloc, mi_realloc_aligned, mi_zalloc, mi_zalloc_aligned,
};

/// The alignment of every block that has at least as many bytes (`MI_MAX_ALIGN_SIZE`).
const ALIGNMENT: usize = 16;

/// mimalloc.
#[derive(Debug)]
pub(crate) struct Mimalloc;

/// Whether a block of this size has this alignment without being asked for it.
const fn is_aligned(size: usize, alignment: usize) -> bool {
    alignment <= ALIGNMENT && alignment <= size
}

// SAFETY: mimalloc returns blocks of the size that is asked for, or null. They have the alignment of the layout: those
// of `mi_malloc` because `is_aligned`, the others because they are asked for it.
unsafe impl GlobalAlloc for Mimalloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, alignment) = (layout.size(), layout.align());
        // SAFETY: both may be called with any size, and a layout's alignment is a power of two.
        let address = unsafe {
            if is_aligned(size, alignment) { mi_malloc(size) } else { mi_malloc_aligned(size, alignment) }
        };
        address.cast()
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (size, alignment) = (layout.size(), layout.align());
        // SAFETY: as in `alloc`.
        let address = unsafe {
            if is_aligned(size, alignment) { mi_zalloc(size) } else { mi_zalloc_aligned(size, alignment) }
        };
        address.cast()
    }

    unsafe fn dealloc(&self, address: *mut u8, _: Layout) {
        // SAFETY: the caller passes a block of this allocator, whichever function has returned it.
        unsafe { mi_free(address.cast()) }
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let (block, alignment) = (address.cast::<c_void>(), layout.align());
        // SAFETY: the caller passes a block of this allocator; the rest is as in `alloc`.
        let moved = unsafe {
            if is_aligned(new_size, alignment) {
                mi_realloc(block, new_size)
            } else {
                mi_realloc_aligned(block, new_size, alignment)
            }
        };
        moved.cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_their_size_and_alignment() {
        let sizes =
            (1..200).chain([255, 256, 1000, 1024, 1025, 4096, 8192, 10_000, 65_536, 1 << 20, 5 << 20]);
        for size in sizes {
            for alignment in [1, 2, 4, 8, 16, 32, 64, 128, 4096] {
                let layout = Layout::from_size_align(size, alignment).expect("a layout");
                let filled = |address: *mut u8, value: u8, bytes: usize| {
                    // SAFETY: the block has at least as many bytes.
                    let block = unsafe { std::slice::from_raw_parts(address, bytes) };
                    assert!(address.addr().is_multiple_of(alignment), "{layout:?}");
                    assert!(block.iter().all(|byte| *byte == value), "{layout:?}");
                };
                // SAFETY: each block is written within its size, and freed with its layout.
                unsafe {
                    // Several at a time, since the first of a page may have a greater alignment.
                    let blocks: [*mut u8; 3] = std::array::from_fn(|_| Mimalloc.alloc_zeroed(layout));
                    for (value, block) in (1..).zip(blocks) {
                        filled(block, 0, size);
                        block.write_bytes(value, size);
                    }
                    for (value, block) in (1..).zip(blocks) {
                        let larger = Mimalloc.realloc(block, layout, size + 77);
                        filled(larger, value, size);
                        let layout = Layout::from_size_align(size + 77, alignment).expect("a layout");
                        let smaller = Mimalloc.realloc(larger, layout, size.div_ceil(2));
                        filled(smaller, value, size.div_ceil(2));
                        let layout = Layout::from_size_align(size.div_ceil(2), alignment).expect("a layout");
                        Mimalloc.dealloc(smaller, layout);
                    }
                    let block = Mimalloc.alloc(layout);
                    block.write_bytes(9, size);
                    filled(block, 9, size);
                    Mimalloc.dealloc(block, layout);
                }
            }
        }
    }
}
