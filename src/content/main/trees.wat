;; Boosted trees, sixteen rows at a time. Every inner node of a tree is a question, "is this number greater than that
;; threshold?", and many nodes ask the same one. So every question is put once to all sixteen rows, and its answer kept
;; as a mask: a byte a row, all ones for yes. A tree then compares nothing: of its fifteen masks each level picks those
;; on a row's path, and the four picked bits are the number of the row's leaf.
;;
;; Nothing here knows where things lie in memory: trees.ts lays it out and passes addresses. After an edit run
;; `node scripts/assemble.mjs`.
(module
  (import "trees" "memory" (memory 1))

  ;; Turns sixteen rows of numbers into columns, each the same number of all rows, 64 bytes.
  ;; $stride: bytes from one row to the next. $width: bytes of a row to turn, a multiple of 16.
  (func (export "turn") (param $rows i32) (param $stride i32) (param $width i32) (param $columns i32)
    (local $row i32) (local $from i32) (local $end i32) (local $to i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $ab v128) (local $cd v128)
    (loop $four-rows
      (local.set $from (i32.add (local.get $rows) (i32.mul (local.get $row) (local.get $stride))))
      (local.set $end (i32.add (local.get $from) (local.get $width)))
      (local.set $to (i32.add (local.get $columns) (i32.shl (local.get $row) (i32.const 2))))
      (loop $four-numbers
        (local.set $a (v128.load (local.get $from)))
        (local.set $b (v128.load (i32.add (local.get $from) (local.get $stride))))
        (local.set $c (v128.load (i32.add (local.get $from) (i32.shl (local.get $stride) (i32.const 1)))))
        (local.set $d (v128.load (i32.add (local.get $from) (i32.mul (local.get $stride) (i32.const 3)))))
        ;; a0 b0 a1 b1 and c0 d0 c1 d1
        (local.set $ab (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b)))
        (local.set $cd (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d)))
        (v128.store offset=0 (local.get $to)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ab) (local.get $cd)))
        (v128.store offset=64 (local.get $to)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ab) (local.get $cd)))
        ;; a2 b2 a3 b3 and c2 d2 c3 d3
        (local.set $ab (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b)))
        (local.set $cd (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d)))
        (v128.store offset=128 (local.get $to)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ab) (local.get $cd)))
        (v128.store offset=192 (local.get $to)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ab) (local.get $cd)))
        (local.set $to (i32.add (local.get $to) (i32.const 256)))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br_if $four-numbers (i32.lt_u (local.get $from) (local.get $end))))
      (local.set $row (i32.add (local.get $row) (i32.const 4)))
      (br_if $four-rows (i32.lt_u (local.get $row) (i32.const 16)))))

  ;; Puts the questions from $question up to $end to the columns. A question is 8 bytes: the address of its column, then
  ;; its threshold. Its answer is a mask.
  (func (export "ask") (param $question i32) (param $end i32) (param $mask i32)
    (local $column i32) (local $threshold v128)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $question) (local.get $end)))
        (local.set $column (i32.load (local.get $question)))
        (local.set $threshold (v128.load32_splat offset=4 (local.get $question)))
        ;; Narrowed from four bytes to one, all ones stay all ones.
        (v128.store (local.get $mask)
          (i8x16.narrow_i16x8_s
            (i16x8.narrow_i32x4_s
              (f32x4.gt (v128.load offset=0 (local.get $column)) (local.get $threshold))
              (f32x4.gt (v128.load offset=16 (local.get $column)) (local.get $threshold)))
            (i16x8.narrow_i32x4_s
              (f32x4.gt (v128.load offset=32 (local.get $column)) (local.get $threshold))
              (f32x4.gt (v128.load offset=48 (local.get $column)) (local.get $threshold)))))
        (local.set $mask (i32.add (local.get $mask) (i32.const 16)))
        (local.set $question (i32.add (local.get $question) (i32.const 8)))
        (br $next))))

  ;; Adds up the leaves that each row reaches in the trees from $tree up to $end, into sixteen int32 at $sums. A tree is
  ;; 96 bytes: the addresses of its fifteen masks in heap order, 4 bytes of nothing, the low bytes of its sixteen
  ;; leaves, their high bytes.
  (func (export "add") (param $tree i32) (param $end i32) (param $sums i32)
    (local $first v128) (local $second v128) (local $third v128) (local $fourth v128)
    (local $leaf v128) (local $low v128) (local $high v128) (local $eight v128)
    (local $sum0 v128) (local $sum4 v128) (local $sum8 v128) (local $sum12 v128)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $tree) (local.get $end)))
        ;; The turn of each row at each level: all ones are right. The turns above choose between the nodes of a level.
        (local.set $first (v128.load (i32.load offset=0 (local.get $tree))))
        (local.set $second
          (v128.bitselect
            (v128.load (i32.load offset=8 (local.get $tree)))
            (v128.load (i32.load offset=4 (local.get $tree)))
            (local.get $first)))
        (local.set $third
          (v128.bitselect
            (v128.bitselect
              (v128.load (i32.load offset=24 (local.get $tree)))
              (v128.load (i32.load offset=20 (local.get $tree)))
              (local.get $second))
            (v128.bitselect
              (v128.load (i32.load offset=16 (local.get $tree)))
              (v128.load (i32.load offset=12 (local.get $tree)))
              (local.get $second))
            (local.get $first)))
        (local.set $fourth
          (v128.bitselect
            (v128.bitselect
              (v128.bitselect
                (v128.load (i32.load offset=56 (local.get $tree)))
                (v128.load (i32.load offset=52 (local.get $tree)))
                (local.get $third))
              (v128.bitselect
                (v128.load (i32.load offset=48 (local.get $tree)))
                (v128.load (i32.load offset=44 (local.get $tree)))
                (local.get $third))
              (local.get $second))
            (v128.bitselect
              (v128.bitselect
                (v128.load (i32.load offset=40 (local.get $tree)))
                (v128.load (i32.load offset=36 (local.get $tree)))
                (local.get $third))
              (v128.bitselect
                (v128.load (i32.load offset=32 (local.get $tree)))
                (v128.load (i32.load offset=28 (local.get $tree)))
                (local.get $third))
              (local.get $second))
            (local.get $first)))
        (local.set $leaf
          (v128.or
            (v128.or
              (v128.and (local.get $first) (v128.const i8x16 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8))
              (v128.and (local.get $second) (v128.const i8x16 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4)))
            (v128.or
              (v128.and (local.get $third) (v128.const i8x16 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2))
              (v128.and (local.get $fourth) (v128.const i8x16 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1)))))
        ;; The leaf of each row, its two bytes looked up apart and joined again, eight rows at a time.
        (local.set $low (i8x16.swizzle (v128.load offset=64 (local.get $tree)) (local.get $leaf)))
        (local.set $high (i8x16.swizzle (v128.load offset=80 (local.get $tree)) (local.get $leaf)))
        (local.set $eight
          (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $low) (local.get $high)))
        (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.extend_low_i16x8_s (local.get $eight))))
        (local.set $sum4 (i32x4.add (local.get $sum4) (i32x4.extend_high_i16x8_s (local.get $eight))))
        (local.set $eight
          (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $low) (local.get $high)))
        (local.set $sum8 (i32x4.add (local.get $sum8) (i32x4.extend_low_i16x8_s (local.get $eight))))
        (local.set $sum12 (i32x4.add (local.get $sum12) (i32x4.extend_high_i16x8_s (local.get $eight))))
        (local.set $tree (i32.add (local.get $tree) (i32.const 96)))
        (br $next)))
    (v128.store offset=0 (local.get $sums) (local.get $sum0))
    (v128.store offset=16 (local.get $sums) (local.get $sum4))
    (v128.store offset=32 (local.get $sums) (local.get $sum8))
    (v128.store offset=48 (local.get $sums) (local.get $sum12))))
