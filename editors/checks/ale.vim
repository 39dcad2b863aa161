" Works on the project in $CHECK_PROJECT as a user would, and writes what it sees to $CHECK_REPORT.

set nocompatible hidden encoding=utf-8 noswapfile
let g:ale_linters_explicit = 1
let g:ale_linters = {'python': ['leverlint'], 'rust': ['leverlint']}
let g:ale_lint_delay = 100
let g:ale_hover_to_preview = 1
filetype plugin on
packadd! ale
runtime plugin/ale.vim
source $CHECK_SNIPPET

function! Report(step, value) abort
  call writefile([json_encode({'step': a:step, 'value': a:value})], $CHECK_REPORT, 'a')
endfunction

function! WaitFor(Condition) abort
  let l:tries = 0
  while !a:Condition() && l:tries < 100
    sleep 100m
    let l:tries += 1
  endwhile
endfunction

function! Open(path, filetype) abort
  execute 'edit' $CHECK_PROJECT . '/' . a:path
  let &l:filetype = a:filetype
  ALELint
  return bufnr('')
endfunction

function! Diagnostics(buffer) abort
  return filter(copy(ale#engine#GetLoclist(a:buffer)), {_, found -> found.bufnr == a:buffer})
endfunction

function! Findings(buffer) abort
  return map(Diagnostics(a:buffer), {_, found -> [get(found, 'code', ''), Marked(a:buffer, found)]})
endfunction

function! Marked(buffer, found) abort
  let l:line = getbufline(a:buffer, a:found.lnum)[0]
  return strpart(l:line, a:found.col - 1, a:found.end_col - a:found.col + 1)
endfunction

function! FindingsWhen(buffer, count) abort
  call WaitFor({-> len(Diagnostics(a:buffer)) == a:count})
  return Findings(a:buffer)
endfunction

function! Place(file, line) abort
  return fnamemodify(a:file, ':p')[len($CHECK_PROJECT) + 1:] . ':' . a:line
endfunction

function! At(needle) abort
  call cursor(1, 1)
  call search('\V' . a:needle, 'cW')
endfunction

function! Act(needle, wanted) abort
  let s:titles = []
  let s:wanted = a:wanted
  call At(a:needle)
  call ale#codefix#Execute(0, function('Chosen'))
  call WaitFor({-> !empty(s:titles)})
  return s:titles
endfunction

function! Chosen(data, items) abort
  for [l:kind, l:action] in a:items
    call add(s:titles, l:action.title)
  endfor
  for [l:kind, l:action] in a:items
    if l:action.title =~ s:wanted
      call ale#codefix#ApplyLSPCodeAction(a:data, l:action)
      return
    endif
  endfor
endfunction

function! Text() abort
  return join(getline(1, '$'), "\n") . "\n"
endfunction

function! Check() abort
  let l:decode = Open('engine/decode.py', 'python')
  call WaitFor({-> len(Diagnostics(l:decode)) >= 2})
  call Report('findings', Findings(l:decode))

  call At('DEMO_POISON')
  ALEHover
  call WaitFor({-> !empty(filter(range(1, winnr('$')), 'getwinvar(v:val, "&previewwindow")'))})
  let l:preview = filter(range(1, winnr('$')), 'getwinvar(v:val, "&previewwindow")')
  call Report('hover', empty(l:preview) ? '' : join(getbufline(winbufnr(l:preview[0]), 1, '$'), "\n"))
  pclose

  call At('DEMO_POISON')
  ALEGoToDefinition
  call WaitFor({-> bufnr('') != l:decode})
  call Report('definition', [Place(bufname(''), line('.'))])
  execute 'buffer' l:decode

  call At('DEMO_POISON')
  ALEFindReferences -quickfix
  call WaitFor({-> !empty(getqflist())})
  call Report('references', map(getqflist(), {_, item -> Place(bufname(item.bufnr), item.lnum)}))
  cclose
  execute 'buffer' l:decode

  call append(7, '    trace = "wide"; trace = flag("DEMO_TRACE")')
  ALELint
  call Report('typed', FindingsWhen(l:decode, 3))
  8delete
  ALELint
  call Report('typed and removed', FindingsWhen(l:decode, 2))

  call Open('engine/flags.py', 'python')
  call setline(5, '    return False')
  ALELint
  call Report('wrapper edited', FindingsWhen(l:decode, 1))
  edit!
  ALELint
  call FindingsWhen(l:decode, 2)
  execute 'buffer' l:decode

  call Report('actions', Act('os.environ.get', '[Ss]uppress'))
  call WaitFor({-> Text() =~# 'allow('})
  call Report('suppressed', Text())
  ALELint
  call Report('left', FindingsWhen(l:decode, 1))
  call Act('flag("DEMO_POISON")', 'Levers.get')
  call WaitFor({-> Text() !~# 'DEMO_POISON'})
  call Report('fixed', Text())

  let l:rust = Open('kernel/src/lib.rs', 'rust')
  call WaitFor({-> len(Diagnostics(l:rust)) >= 1})
  call Report('rust', Findings(l:rust))
endfunction

try
  call Check()
catch
  call Report('error', v:exception . ' at ' . v:throwpoint)
endtry
qall!
